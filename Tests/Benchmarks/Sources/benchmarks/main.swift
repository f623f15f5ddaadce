import ArgumentParser

// The main thread only waits: Swift's own asynchronous main lets it sleep in a way that valgrind cannot follow.
let isOver = DispatchSemaphore(value: 0)
Task.detached {
    await Benchmarks.main()
    isOver.signal()
}
isOver.wait()
