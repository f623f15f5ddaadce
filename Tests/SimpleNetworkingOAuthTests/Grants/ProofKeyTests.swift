import Foundation
import SimpleNetworkingCore
import Testing

@testable import SimpleNetworkingOAuth

struct ProofKeyTests {
    @Test
    func theExampleOfRFC7636AppendixBHolds() {
        let key = ProofKey(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test
    func eachKeyIsAnother() {
        let keys = (0..<100).map { _ in ProofKey() }
        #expect(Set(keys.map(\.verifier)).count == 100)
        #expect(Set(keys.map(\.challenge)).count == 100)
        for key in keys { #expect(key.verifier.reveal().utf8.count == 43) }
    }
}
