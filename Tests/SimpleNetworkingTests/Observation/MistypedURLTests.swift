import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// URLs with a password that were mistyped, in everything that describes their requests.
@Suite(.timeLimit(.minutes(1)))
struct MistypedURLTests {
    @Test(arguments: [
        "//u:s3cret@h/x", "htps://u:s3cret@h/x", "http:/u:s3cret@h/x", "http:u:s3cret@h/x", "https//u:s3cret@h/x",
        "https://u:s3cret@h/x", "https://u:s3/cret@h", "https://u:s3cret#@h", "https:////u:s3cret@h", "/x//u:s3cret@h",
    ])
    func noTextShowsItsPassword(url: String) async {
        let logged = Recorder<String>()
        let api = SimpleNetworking(over: StubTransport().on("*", .status(404))) {
            $0.logger = RequestLogger(level: .debug) { logged.add($1) }
        }
        let request = api.get(url)
        let end = await request.ended()
        var dumped = ""
        dump(request, to: &dumped)
        dump(end, to: &dumped)
        let texts =
            logged.elements + ["\(request)", "\(request.trace)", "\(end)", end.error?.description ?? "", dumped]
        for text in texts { #expect(!text.contains("s3"), "\(text)") }
    }
}
