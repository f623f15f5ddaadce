import Foundation
import SimpleNetworking
import Testing

@testable import SimpleNetworkingCore

@Suite("NetworkFailure from URLError")
struct NetworkFailureURLErrorTests {
    @Test(arguments: [
        (URLError.Code.cannotFindHost, NetworkFailure.Kind.cannotFindHost),
        (.dnsLookupFailed, .cannotFindHost), (.cannotConnectToHost, .cannotConnect),
        (.networkConnectionLost, .connectionLost),
        (.notConnectedToInternet, .offline), (.serverCertificateUntrusted, .tls), (.secureConnectionFailed, .tls),
        (.cannotParseResponse, .malformedResponse), (.fileDoesNotExist, .unreadableBody), (.callIsActive, .offline),
    ])
    func codesHaveAKind(code: URLError.Code, kind: NetworkFailure.Kind) {
        #expect(NetworkFailure(URLError(code)).kind == kind)
    }

    @Test
    func aBadResponseIsALostConnectionOnLinuxOnly() {
        #if canImport(Darwin)
            #expect(NetworkFailure(URLError(.badServerResponse)).kind == .malformedResponse)
        #else
            #expect(NetworkFailure(URLError(.badServerResponse)).kind == .connectionLost)
        #endif
    }

    @Test(arguments: [
        ("SSL certificate problem: unable to get local issuer certificate", NetworkFailure.Kind.tls),
        ("SSL: no alternative certificate subject name matches target host name '127.0.0.1'", .tls),
        ("SSL peer certificate or SSH remote key was not OK", .tls),
        ("error:0A00010B:SSL routines::wrong version number", .tls),
        ("transfer closed with 90 bytes remaining to read", .connectionLost),
        ("transfer closed with outstanding read data remaining", .connectionLost),
        ("Failure when receiving data from the peer", .connectionLost),
        ("Failed sending data to the peer", .connectionLost),
        ("Send failure: Broken pipe", .connectionLost),
        ("Connection died, tried 5 times before giving up", .connectionLost),
        ("necessary data rewind wasn't possible", .connectionLost),
        ("Error while processing content unencoding: incorrect header check", .malformedResponse),
        ("Illegal or missing hexadecimal sequence in chunked-encoding", .malformedResponse),
        ("Failed writing header", .malformedResponse),
        ("something never seen before", .other),
    ])
    func wordsDecideWhereTheCodeSaysNothing(words: String, kind: NetworkFailure.Kind) {
        let failure = NetworkFailure(URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words]))
        #expect(failure.kind == kind)
        #expect(failure.detail == words)
        #expect(failure.underlying is URLError)
    }
}
