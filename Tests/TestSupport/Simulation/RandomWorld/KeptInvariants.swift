import Foundation
import SimpleNetworking
import SimpleNetworkingCookies
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// The jar has the cookies of every head, and each request to the client's own host carries what the jar has.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class KeptCookies: Invariant {
    private let scene: RandomScene
    private let jar: CookieJar
    /// The newest value of each cookie of each host in a session.
    private let expected = Locked<[String: [String: String]]>([:])

    init(_ scene: RandomScene, _ jar: CookieJar) { (self.scene, self.jar) = (scene, jar) }

    func check(_ sent: SentRequest) {
        let own = jar.cookies(for: sent.request.url).map { "\($0.name)=\($0.value)" }
        checkJar()
        // A former user's redirect goes on without cookies.
        if let entry = sent.entry, entry.session != sent.session { return }
        let carried = sent.request.headers["Cookie"] ?? ""
        scene.world.expect(
            Set(carried.components(separatedBy: "; ")).subtracting([""]) == Set(own),
            "\(sent.name) has the cookies \(carried), but the jar has \(own)"
        )
    }

    func noteHead(_ status: Int, _ headers: HTTPHeaders, of sent: SentRequest) {
        let session = scene.users.session
        guard session == sent.session, sent.entry?.session ?? session == session else { return }
        for text in headers.values(for: "Set-Cookie") {
            let pair = text.components(separatedBy: ";")[0].components(separatedBy: "=")
            expected.withLock { $0[key(of: sent.request.url, session), default: [:]][pair[0]] = pair[1] }
        }
    }

    func verify() { checkJar() }

    private func checkJar() {
        let session = scene.users.session
        for host in [RandomServer.host, RandomServer.otherHost] {
            guard let url = URL(string: "https://\(host)/") else { continue }
            let cookies = Dictionary(jar.cookies(for: url).map { ($0.name, $0.value) }) { $1 }
            let wanted = expected.withLock { $0[key(of: url, session)] ?? [:] }
            for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
                let found = cookies[name] ?? "nothing"
                scene.world.expect(found == value, "the jar has \(found) for \(name), though \(value) has come")
            }
            for value in cookies.values.sorted() {
                let isOwn = RandomUsers.session(in: value) == session
                scene.world.expect(isOwn, "the jar has \(value) in session \(session)")
            }
        }
    }

    private func key(of url: URL, _ session: Int) -> String { "\(session) \(url.host ?? "")" }
}

/// A file changes only by a response that was accepted.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct KeptFiles: Invariant {
    private let scene: RandomScene
    private static let former = "former"
    private static let numbers = Locked(0)
    /// Tells this process's files from those of another one.
    private static let run = UUID().uuidString

    init(_ scene: RandomScene) { self.scene = scene }

    /// Creates a file that has content before.
    static func makeFile() -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("random-world-\(run)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(numbers.next())")
        try? Data(former.utf8).write(to: file)
        return file
    }

    func verify() {
        for entry in scene.ledger.entries {
            guard let file = entry.traits.file else { continue }
            let content = (try? String(contentsOf: file, encoding: .utf8)) ?? "nothing"
            let isExpected = entry.hasSucceeded ? content != Self.former : content == Self.former
            scene.world.expect(isExpected, "the file of \(entry.id) has “\(content)”")
            for name in ["", ".partial"] { try? FileManager.default.removeItem(atPath: file.path + name) }
        }
    }
}
