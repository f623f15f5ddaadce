import Foundation

/// The output and the status of a run of the program.
struct Run: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// The request, as the demo server's `/echo` returns it.
    struct Echo: Decodable {
        let method: String
        let query: String
        let headers: [String: String]
        let body: String

        func field(_ name: String) -> String? { headers.first { $0.key.lowercased() == name.lowercased() }?.value }
    }

    func echo() throws -> Echo {
        let content = output.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(Echo.self, from: Data(content.utf8))
    }
}
