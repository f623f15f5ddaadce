import Lookalikes
import SimpleNetworking
import Testing

import protocol SimpleNetworkingCore.Authenticator
import protocol SimpleNetworkingCore.EventMonitor
import struct SimpleNetworkingCore.HTTPHeaders
import struct SimpleNetworkingCore.HTTPMethod
import struct SimpleNetworkingCore.RetryPolicy

/// Both modules' types in one file: those that are imported by name are meant, the others take their module's name.
struct OtherModuleTests {
    @Test("An import of one name decides between two modules")
    func importsByNameDecide() {
        let headers: HTTPHeaders = ["Accept": "text/plain"]
        #expect(headers["accept"] == "text/plain")
        #expect(HTTPMethod.get.rawValue == "GET" && RetryPolicy(attempts: 3).attempts == 3)
        let authenticator: any Authenticator = BearerAuthenticator()
        #expect(authenticator is BearerAuthenticator)
        _ = Lookalikes.HTTPHeaders()
        _ = Lookalikes.Request<String>()
    }
}
