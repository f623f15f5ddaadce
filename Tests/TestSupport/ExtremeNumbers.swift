/// Numbers as a hostile server may write them: the ends of every range, and texts that are not numbers.
package enum ExtremeNumbers {
    package static let texts = [
        "-9223372036854775808", "9223372036854775807", "-1", "0", "1", "2147483647", "2147483648", "-2147483649",
        "4294967296", "9223372036854775808", "18446744073709551616", "99999999999999999999", "-99999999999999999999",
        "1e308", "-1e308", "1e309", "NaN", "inf", "", String(repeating: "9", count: 400),
    ]

    /// Those that are whole numbers of a machine's own size.
    package static let readable = texts.filter { Int($0) != nil }
}
