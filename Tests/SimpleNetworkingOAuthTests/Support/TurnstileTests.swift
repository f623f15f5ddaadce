import Testing

@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct TurnstileTests {
    @Test
    func tasksPassInTheOrderInWhichTheyCame() async {
        let turnstile = Turnstile()
        let order = Recorder<Int>()
        await turnstile.enter()
        var tasks: [Task<Void, Never>] = []
        for number in 1...5 {
            let task = Task {
                await turnstile.enter()
                order.add(number)
                await turnstile.leave()
            }
            tasks.append(task)
            while await turnstile.waitingCount < number { await Task.yield() }
        }
        #expect(order.elements.isEmpty)
        await turnstile.leave()
        for task in tasks { await task.value }
        #expect(order.elements == [1, 2, 3, 4, 5])
    }
}
