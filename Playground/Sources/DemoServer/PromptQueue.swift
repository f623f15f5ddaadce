import FlyingSocks
import Foundation

/// Watches sockets as its base does, and has them send at once.
///
/// FlyingFox writes header fields and content one after the other. On a connection that is used again, the second write
/// would wait 40 ms for the client's delayed acknowledgement of the first.
struct PromptQueue<Base: EventQueue>: EventQueue {
    var base: Base

    mutating func open() throws { try base.open() }
    mutating func stop() throws { try base.stop() }
    mutating func close() throws { try base.close() }

    mutating func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
        var isOn: Int32 = 1
        setsockopt(socket.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        try base.addEvents(events, for: socket)
    }

    mutating func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
        try base.removeEvents(events, for: socket)
    }

    func getNotifications() throws -> [EventNotification] { try base.getNotifications() }
}

#if canImport(Darwin)
    typealias PlatformQueue = kQueue
#else
    typealias PlatformQueue = ePoll
#endif
