import Foundation
import Testing

/// Holds content in a chain of codings, made by other programs than the engine's libraries.
struct CodedContent: Sendable, CustomTestStringConvertible {
    /// The value of its `Content-Encoding`.
    let coding: String
    let data: Data
    var testDescription: String { coding }

    init(_ coding: String, _ data: Data) {
        self.coding = coding
        self.data = data
    }

    private init(_ coding: String, _ text: String) {
        self.init(coding, Data(base64Encoded: text) ?? Data())
    }

    /// "0 1 4 9 … 1521", which all of these decode to.
    static let plain = Data((0..<40).map { "\($0 * $0)" }.joined(separator: " ").utf8)

    static let all = [gzip, deflate, bareDeflate, brotli, zstd, chain]

    static let gzip = CodedContent(
        "gzip",
        "H4sIAAAAAAACAxWN0RUAIQjDVukIlqso+y928asPGsKSFY3cqq2vlVFH1/JacpEJLcSAwNQm7+irwHMNl5A32jXap9VwTR7m"
            + "w/7SD9z083LohcFG5ed0Iff3vuS92+UfaJLqLZkAAAA="
    )
    static let deflate = CodedContent(
        "deflate",
        "eJwVjdEVACEIw1bpCJarKPsvdvGrDxrCkhWN3Kqtr5VRR9fyWnKRCS3EgMDUJu/oq8BzDZeQN9o12qfVcE0e5sP+0g/c9PNy"
            + "6IXBRuXndCH3977kvdvlH1LKHAU="
    )
    /// Without the header of zlib, as some servers send it.
    static let bareDeflate = CodedContent(
        "deflate",
        "FY3RFQAhCMNW6QiWqyj7L3bxqw8awpIVjdyqra+VUUfX8lpykQktxIDA1Cbv6KvAcw2XkDfaNdqn1XBNHubD/tIP3PTzcuiF"
            + "wUbl53Qh9/e+5L3b5R8="
    )
    static let brotli = CodedContent(
        "br",
        "G5gA+AWcbKkuxIOIviQBLk44DSIsKr6ckqXhC80gCyWoi7bYF9/ivxyHU5EZEpEfrpf7Sn3pK8/L++FH7AxboXHQ/EW6RfZF"
            + "3qLTRUlgAQ=="
    )
    static let zstd = CodedContent(
        "zstd",
        "KLUv/SSZlQIA0kgRC7C1DWTS1vqVKYEIk9kkwW7Jdme7KDaldUQ90qRwSbihj/SGuWQm8ZFH8BVMARfJHXlEbu3qJvdkR+zR"
            + "7MULHrm75jsCAxQGAalxKbyZAbXwGqs="
    )
    static let chain = CodedContent(
        "gzip, deflate, br",
        "CzmAeJwBaACX/x+LCAAAAAAAAgMVjdEVACEIw1bpCJarKPsvdvGrDxrCkhWN3Kqtr5VRR9fyWnKRCS3EgMDUJu/oq8BzDZeQ"
            + "N9o12qfVcE0e5sP+0g/c9PNy6IXBRuXndCH3977kvdvlH2iS6i2ZAAAAMwEzaAM="
    )
}

// MARK: Content that decodes to much more

extension CodedContent {
    /// How many zeros these decode to.
    static let zeros = 256 << 20

    /// 421 bytes.
    static let brotliBomb = CodedContent(
        "br",
        """
        y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwW\
        AOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/x///P/gnAOKwAED3/o///3/wTwDEYQGA7v0f////4J8AiMMCAN37P/7//8E/\
        ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/x///P/gnAOKwAED3/o//\
        /3/wTwDEYQGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQ\
        vf/j//8f/BMAcVgAoHv/x///P/gnAOKwAED3/o///3/wTwDEYQGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIg\
        DgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/Nw==
        """
    )

    /// Blocks of 128 KiB, each of one byte that is repeated (RFC 8878 §3.1.1); 8 KB.
    static func zstdBomb(windowLog: UInt8) -> CodedContent {
        let block = 128 << 10
        var data = Data([0x28, 0xB5, 0x2F, 0xFD, 0, (windowLog - 10) << 3])
        for index in 1...(zeros / block) {
            let header = block << 3 | 1 << 1 | (index == zeros / block ? 1 : 0)
            data += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16), 0]
        }
        return CodedContent("zstd", data)
    }

    /// Nil without the `gzip` of the system.
    static func gzipBomb(times: Int) -> CodedContent? {
        #if os(macOS) || os(Linux)
            let steps = Array(repeating: "| gzip", count: times).joined()
            let data = try? ChildProcess.output(of: "head -c \(zeros) /dev/zero \(steps)")
            return data.map { CodedContent(Array(repeating: "gzip", count: times).joined(separator: ", "), $0) }
        #else
            return nil
        #endif
    }
}
