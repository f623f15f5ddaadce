import Testing

@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct AsyncLockTests {
    @Test
    func tasksPassInTheOrderInWhichTheyCame() async {
        let lock = AsyncLock()
        let order = Recorder<Int>()
        await lock.lock()
        var tasks: [Task<Void, Never>] = []
        for number in 1...5 {
            let task = Task {
                await lock.lock()
                order.add(number)
                await lock.unlock()
            }
            tasks.append(task)
            while await lock.waitingCount < number { await Task.yield() }
        }
        #expect(order.elements.isEmpty)
        await lock.unlock()
        for task in tasks { await task.value }
        #expect(order.elements == [1, 2, 3, 4, 5])
    }
}
