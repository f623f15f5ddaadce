import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IsolationTests {
    @Test(arguments: [DispatchQueue.main, .global(), DispatchQueue(label: "callbacks")])
    @MainActor
    func aViewModelFillsItselfWithAnyCallbackQueue(queue: DispatchQueue) async {
        let model = ViewModel(client: SimpleNetworking(Server.open(), callbackQueue: queue))
        _ = await model.load().ended()
        #expect(model.items == ["a"])
    }

    @Test
    @MainActor
    func handlersWrittenOnTheMainActorRunThere() async {
        let client = SimpleNetworking(Server.open(), callbackQueue: .global())
        var order: [String] = []
        let request = client.get("/x") {
            $0.on(success: { _ in
                MainActor.assertIsolated()
                dispatchPrecondition(condition: .onQueue(.main))
                order.append("1")
            })
            .on(success: { _ in
                MainActor.assertIsolated()
                order.append("2")
            })
        }
        #expect(order == [])
        _ = await request.ended()
        #expect(order == ["1", "2"])
    }

    @Test
    func handlersWrittenOnAnActorRunOnIt() async {
        let counter = Counter(client: SimpleNetworking(Server.open(), callbackQueue: .global()))
        var requests: [SimpleRequest] = []
        for _ in 0..<50 { requests.append(await counter.load()) }
        for request in requests { _ = await request.ended() }
        #expect(await counter.count == 50)
    }

    @Test
    func errorHandlersOfAnActorRunWhenKeptRequestsAreReleased() async {
        let counter = Counter(client: SimpleNetworking(Server.closed(), callbackQueue: .global()))
        let gate = Gate()
        for _ in 0..<50 {
            await counter.loadRefused().on(isolation: nil, completion: { _ in Task { try? await gate.wait() } })
        }
        while await counter.count < 50 { await Task.yield() }
        #expect(await counter.errors == [])
        await counter.releaseRefused()
        await gate.arrivals(50)
        gate.open()
        #expect(await counter.count == 50)
        #expect(await counter.errors == Array(repeating: "abandoned", count: 50))
    }

    @Test
    nonisolated func handlersWrittenOutsideAnyActorRunOnTheCallbackQueue() async {
        let queue = DispatchQueue(label: "callbacks")
        let client = SimpleNetworking(Server.open(), callbackQueue: queue)
        var runs = 0
        let request = client.get("/x") {
            $0.on(success: { _ in
                dispatchPrecondition(condition: .onQueue(queue))
                runs += 1
            })
        }
        _ = await request.ended()
        #expect(runs == 1)
    }

    @Test
    @MainActor
    func handlersWrittenOutsideAnyActorRunOnTheMainActorThatCallsTheirCode() async {
        let form = Form()
        let request = form.fill(from: SimpleNetworking(Server.open()))
        _ = await request.ended()
        #expect(form.items == ["a"])
        #expect(request.trace.handlers.first?.place == "main")
    }

    @Test
    @NetworkActor
    func aWrapperThatPassesTheIsolationOnRunsHandlersOnItsCallersActor() async {
        var runs = 0
        let request = whenLoaded(from: SimpleNetworking(Server.open())) { _ in
            NetworkActor.shared.assertIsolated()
            runs += 1
        }
        _ = await request.ended()
        #expect(runs == 1)
    }

    @Test
    @NetworkActor
    func handlersWrittenOnAGlobalActorRunOnIt() async {
        let client = SimpleNetworking(Server.open(), callbackQueue: .global())
        var runs = 0
        let request = client.get("/x") {
            $0.on(success: { _ in
                NetworkActor.shared.assertIsolated()
                runs += 1
            })
        }
        #expect(runs == 0)
        _ = await request.ended()
        #expect(runs == 1)
    }
}
