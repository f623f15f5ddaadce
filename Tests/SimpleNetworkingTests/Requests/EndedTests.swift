import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `ended(timeout:)`, which command-line tools and tests share.
@Suite(.timeLimit(.minutes(5)))
struct EndedTests {
    @Test
    func waitForARequestThatNeverEndsTimesOutWithTheTrace() async throws {
        let request = SimpleNetworking.get("/x")
        guard case .failure(.failed(let error as SimpleRequest.EndTimeout, _, _)) = await request.ended(timeout: 0.01)
        else {
            Issue.record("it ended without being executed")
            return
        }
        #expect(error.description == "no completion handler ran within 0.01 s:\nGET /x")
        // It still can be executed, and ends then.
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}")))
        #expect(await request.execute(on: client).ended().value?.httpStatus == 200)
    }

    @Test
    func handlersThatWereAddedBeforeHaveRunWhenTheWaitEnds() async {
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}")))
        let runs = Recorder<Int>()
        let request = client.get("/x") { $0.on(success: { _ in runs.add(1) }) }
        request.on(completion: { _ in runs.add(2) })
        #expect(await request.ended(timeout: .infinity).value?.httpStatus == 200)
        #expect(runs.elements == [1, 2])
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func aRequestThatIsExecutedIsAwaitedForAsLongAsItTakes() async throws {
        let (gate, late) = (Gate(), Gate())
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}").after(gate)))
        let request = client.get("/x")
        let wait = Task { await request.ended(timeout: nil, orExecutedWithin: 0.01) }
        // Well after the patience has ended.
        _ = SystemClock().schedule(after: 0.1) { late.open() }
        try await late.wait()
        gate.open()
        #expect(await wait.value.value?.httpStatus == 200)
        let idle = SimpleNetworking.get("/x")
        let outcome = await idle.ended(timeout: nil, orExecutedWithin: 0.01)
        guard case .failed(let error as SimpleRequest.EndTimeout, _, _)? = outcome.error else {
            throw "it ended without being executed".asError
        }
        #expect(error.seconds == 0.01)
        // Otherwise the log would miss its execution.
        #expect(await idle.execute(on: client).ended().value?.httpStatus == 200)
    }

    @Test
    func cancelledWaitEndsAndTheRequestContinues() async throws {
        let gate = Gate()
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}").after(gate)))
        let request = client.get("/x")
        let wait = Task { await request.ended(timeout: 3600) }
        await gate.arrivals(1)
        wait.cancel()
        guard case .failure(.cancelled(nil)) = await wait.value else {
            Issue.record("the wait did not end with .cancelled")
            return
        }
        gate.open()
        #expect(await request.ended().value?.httpStatus == 200)
    }
}
