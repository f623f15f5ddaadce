import Foundation
import SimpleNetworkingSupport
import Testing

/// Hosts in programs without full Foundation, compared with what full Foundation makes of them.
@Suite
struct InternationalHostTests {
    @Test(
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("faß.de", nil), ("münchen.de", "xn--mnchen-3ya.de"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("президент.рф", "xn--d1abbgf6aiiy.xn--p1ai"),
            ("ישראל.example", "xn--4dbcagdahymbxekheh6e0a7fei0b.example"), ("API.Example.COM", "api.example.com"),
            ("BÜCHER.example", nil), ("bu\u{308}cher.example", nil), ("ｂücher.example", nil), ("a\u{200D}b", nil),
            ("💩.la", nil),
            ("a é.example", nil), ("\u{301}é.example", nil), ("x\u{1100}\u{1161}", nil),
            (String(repeating: "ü", count: 64) + ".example", nil),
        ] as [(String, String?)]
    )
    func onlyNormalizedNamesAreConverted(host: String, expected: String?) {
        if host.contains("ישראל") {
            #expect(InternationalHost.ascii(host) == URL(string: "http://\(host)")?.host)
        } else if host == "faß.de" {
            // Foundation keeps the letter, as IDNA 2008 does.
            #expect([nil, "xn--fa-hia.de"].contains(InternationalHost.ascii(host)))
        } else {
            #expect(InternationalHost.ascii(host) == expected)
        }
    }

    /// Text that was percent-encoded in a URL must not end its host, or add a user to it.
    @Test(arguments: [
        "user:pw@b.example", "a/b.ü.example", "evil#.ü.example", "a?b", "a b", "a\\b.ü", "a%2Fb", "xn--日.example",
        "[::1", "é\u{0}",
    ])
    func whatIsNoHostIsRefused(host: String) { #expect(InternationalHost.ascii(host) == nil) }

    @Test(arguments: ["::1", "fe80::1%eth0", "FE80::A"])
    func addressesStay(host: String) { #expect(InternationalHost.ascii(host) == host.lowercased()) }

    /// Whatever is converted is what the full mapping makes of it.
    @Test
    func aConvertedNameIsFoundations() {
        var random = SystemRandomNumberGenerator()
        let alphabets: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0xDF...0xFF, 0x100...0x17F, 0x370...0x3FF, 0x430...0x45F, 0x5D0...0x5EA, 0x620...0x64A,
            0x900...0x97F,
            0xE00...0xE4F, 0x1E00...0x1EFF, 0x3040...0x30FF, 0x4E00...0x4FFF, 0xAC00...0xACFF, 0x1_0400...0x1_044F,
        ]
        var converted = 0
        for _ in 0..<4_000 {
            let alphabet = alphabets.randomElement(using: &random) ?? 0x61...0x7A
            let scalars = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: Bool.random() ? alphabet : 0x61...0x7A, using: &random))
            }
            let host = String(String.UnicodeScalarView(scalars)) + ".example"
            guard let ours = InternationalHost.ascii(host) else { continue }
            guard let theirs = URL(string: "http://\(host)")?.host else { continue }
            converted += 1
            #expect(ours == theirs, "\(scalars.map { String($0.value, radix: 16) })")
        }
        #expect(converted > 500)
    }
}
