/// A value that is accessible only while its lock is held; the package's other products use it too.
///
/// `Synchronization.Mutex` needs iOS 18 and macOS 15, and Foundation's locks require several allocations each on
/// Linux. This lock and its value share one allocation.
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {
    @usableFromInline
    final class Storage: ManagedBuffer<Lock, Value> {
        @inlinable
        deinit {
            withUnsafeMutablePointers { lock, value in
                Lock.destroy(lock)
                value.deinitialize(count: 1)
            }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<Lock, Value>

    @inlinable
    package init(_ value: consuming Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in Lock() }
        let (lock, place) = storage.withUnsafeMutablePointers { ($0, $1) }
        Lock.create(lock)
        // Outside a closure, which could only copy the value.
        place.initialize(to: value)
    }

    /// Identifies the value, which copies of a `Locked` share.
    @inlinable
    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Runs `body` while the lock is held.
    ///
    /// Neither call user code there nor release the user's objects: their `deinit` may use this lock. Return the
    /// replaced values, or use `exchange(_:)` and `take()`, so that they are released after the lock.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        let value = begin()
        defer { end() }
        return try body(&value.pointee)
    }

    /// Replaces the value, and returns the former value, to be released after the lock.
    @inlinable
    @discardableResult
    package func exchange(_ value: consuming Value) -> Value {
        let place = begin()
        defer { end() }
        swap(&place.pointee, &value)
        return value
    }

    /// Removes and returns the value, to be used and released after the lock; the next caller finds nil.
    @inlinable
    package func take<Wrapped>() -> Wrapped? where Value == Wrapped? { exchange(nil) }

    /// Both callers retain `self`, and so the storage, until `end()`.
    @inlinable
    func begin() -> UnsafeMutablePointer<Value> {
        storage.withUnsafeMutablePointers { lock, value in
            Lock.take(lock)
            return value
        }
    }

    @inlinable
    func end() { storage.withUnsafeMutablePointerToHeader { Lock.release($0) } }
}

extension Locked<Int> {
    /// Increments the number and returns it.
    package func next() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}

extension Locked: CustomReflectable {
    /// Shows nothing, because reading the value takes the lock.
    @inlinable
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Stores a value behind a reference, so that copies are small.
@usableFromInline
package final class Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    package let value: Value

    @inlinable
    package init(_ value: Value) { self.value = value }

    /// Returns a copy of the value with a change.
    ///
    /// Inlined, the copy would enlarge the frames of the tasks that wait.
    @inlinable
    @inline(never)
    package func changed(_ change: (inout Value) -> Void) -> Boxed {
        var value = value
        change(&value)
        return Boxed(value)
    }
}
