import Foundation
import SimpleNetworkingCookies
import SimpleNetworkingCore

/// The shortest domain that a host may set a cookie for, which is what people register; nil if there is none.
package func registrableDomain(of host: String) -> String? {
    guard let url = URL(string: "https://\(host)/"), let name = url.host?.lowercased() else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains("") else { return nil }
    for count in 1...labels.count {
        let domain = labels.suffix(count).joined(separator: ".")
        guard let below = URL(string: "https://any.\(domain)/") else { return nil }
        let jar = CookieJar()
        jar.store(["Set-Cookie": "a=1; Domain=\(domain)"], from: url)
        if !jar.cookies(for: below).isEmpty { return domain }
    }
    return nil
}
