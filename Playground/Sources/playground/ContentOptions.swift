import ArgumentParser
import Foundation
import SimpleNetworking

/// What the command says about the content to send.
struct ContentOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("JSON; @name reads it from a file, @- from standard input.", valueName: "text")
    )
    var json: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Plain text; @name and @- likewise.", valueName: "text"))
    var data: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A field of a form; may be repeated.", valueName: "name=value")
    )
    var form: [Pair] = []

    @Option(help: ArgumentHelp("A file, sent as it is, of any size.", valueName: "file"))
    var file: String?

    var isEmpty: Bool { count == 0 }
    private var count: Int { [json != nil, data != nil, !form.isEmpty, file != nil].count { $0 } }

    func check() throws {
        if count > 1 { throw ValidationError("Give one of --json, --data, --form and --file, not both.") }
        if let json, !json.hasPrefix("@") { try Self.check(json: Data(json.utf8)) }
    }

    /// Adds the content, after reading it from where the arguments say.
    func add(to request: SimpleRequest) throws {
        if let json {
            let content = try Self.content(of: json)
            try Self.check(json: content)
            request.body(data: content, contentType: .json)
        }
        if let data { request.body(data: try Self.content(of: data), contentType: .text) }
        if !form.isEmpty { request.body(form: Query(form.map { ($0.name, $0.value) })) }
        if let file { request.body(file: URL(fileURLWithPath: file), contentType: .octetStream) }
        // Asked for, it is sent even with a method to which it means nothing.
        request.allowsBodyOnGet()
    }

    private static func check(json: Data) throws {
        guard (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) != nil else {
            throw ValidationError("What --json was given is not JSON.")
        }
    }

    private static func content(of text: String) throws -> Data {
        guard text.hasPrefix("@") else { return Data(text.utf8) }
        if text == "@-" { return FileHandle.standardInput.readDataToEndOfFile() }
        let name = String(text.dropFirst())
        guard let content = FileManager.default.contents(atPath: name) else {
            throw ValidationError("The file \(name) can't be read.")
        }
        return content
    }
}
