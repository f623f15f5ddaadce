import Foundation
import SimpleNetworkingCore
import Testing

struct NetworkFailureTests {
    @Test(arguments: [
        (NetworkFailure.Kind.cannotFindHost, "the host was not found"), (.cannotConnect, "the connection was refused"),
        (.connectionLost, "the connection was lost"), (.offline, "there is no network connection"),
        (.tls, "no secure connection could be made"), (.malformedResponse, "the response is not valid HTTP"),
        (.unreadableBody, "the content to send could not be read"), (.other, "the transfer failed"),
    ])
    func aKindReadsAsInTheArticleOnErrors(kind: NetworkFailure.Kind, text: String) {
        #expect("\(kind)" == text)
        #expect("\(NetworkFailure(kind))" == text)
        #expect("\(NetworkFailure(kind, detail: "why"))" == text + " (why)")
    }
}
