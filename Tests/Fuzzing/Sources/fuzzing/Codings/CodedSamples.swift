/// Compressed content to begin with, made by other programs than the engine's libraries.
struct CodedSamples {
    let coding: Coding
    let bytes: [UInt8]

    private init(_ coding: Coding, _ bytes: [UInt8]) {
        self.coding = coding
        self.bytes = bytes
    }

    private init(_ coding: Coding, _ text: String) { self.init(coding, [UInt8](Data(base64Encoded: text) ?? Data())) }

    static let all = [gzip, deflate, bareDeflate, brotli, zstd, zeros, zstdZeros]

    static let gzip = Self(
        .gzip,
        "H4sIAAAAAAACAxWN0RUAIQjDVukIlqso+y928asPGsKSFY3cqq2vlVFH1/JacpEJLcSAwNQm7+irwHMNl5A32jXap9VwTR7m"
            + "w/7SD9z083LohcFG5ed0Iff3vuS92+UfaJLqLZkAAAA="
    )
    private static let deflate = Self(
        .deflate,
        "eJwVjdEVACEIw1bpCJarKPsvdvGrDxrCkhWN3Kqtr5VRR9fyWnKRCS3EgMDUJu/oq8BzDZeQN9o12qfVcE0e5sP+0g/c9PNy"
            + "6IXBRuXndCH3977kvdvlH1LKHAU="
    )
    private static let bareDeflate = Self(
        .deflate,
        "FY3RFQAhCMNW6QiWqyj7L3bxqw8awpIVjdyqra+VUUfX8lpykQktxIDA1Cbv6KvAcw2XkDfaNdqn1XBNHubD/tIP3PTzcuiF"
            + "wUbl53Qh9/e+5L3b5R8="
    )
    private static let brotli = Self(
        .br,
        "G5gA+AWcbKkuxIOIviQBLk44DSIsKr6ckqXhC80gCyWoi7bYF9/ivxyHU5EZEpEfrpf7Sn3pK8/L++FH7AxboXHQ/EW6RfZF"
            + "3qLTRUlgAQ=="
    )
    private static let zstd = Self(
        .zstd,
        "KLUv/SSZlQIA0kgRC7C1DWTS1vqVKYEIk9kkwW7Jdme7KDaldUQ90qRwSbihj/SGuWQm8ZFH8BVMARfJHXlEbu3qJvdkR+zR"
            + "7MULHrm75jsCAxQGAalxKbyZAbXwGqs="
    )
    /// 131,072 zeros.
    private static let zeros = Self(.deflate, HostileReplies.zeros + HostileReplies.zeros + [1, 0, 0, 0xFF, 0xFF])
    /// Three blocks of a byte that is repeated (RFC 8878 §3.1.1.2).
    private static let zstdZeros = Self(
        .zstd,
        [0x28, 0xB5, 0x2F, 0xFD, 0, 0x48] + [0x02, 0, 0x10, 7, 0x02, 0, 0x10, 8, 0x03, 0, 0x10, 9]
    )
}
