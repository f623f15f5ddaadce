import Foundation

@testable import SimpleNetworking

/// The shortest domain that a host may set a cookie for, which is what people register; nil if there is none.
func registrableDomain(of host: String) -> String? {
    guard let url = URL(string: "https://\(host)/"), let name = Origin(url)?.host else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains("") else { return nil }
    for count in 1...labels.count {
        let domain = labels.suffix(count).joined(separator: ".")
        if let cookie = Cookie(setCookie: "a=1; Domain=\(domain)", from: url), !cookie.isHostOnly { return domain }
    }
    return nil
}
