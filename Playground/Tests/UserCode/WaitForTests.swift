import SimpleNetworking
import SimpleNetworkingTesting
import XCTest

/// Tests with XCTest, an expectation, and a waiting thread.
nonisolated final class WaitForTests: XCTestCase {
    func testOrder() {
        let client = SimpleNetworking(Server.open())
        var order: [String] = []
        let done = expectation(description: "done")
        client.get("/x") {
            $0.on(success: { _ in order.append("success 1") })
                .on(success: { _ in
                    order.append("success 2")
                    done.fulfill()
                })
                .on(httpStatus: 200) { _, _ in
                    order.append("status")
                    return true
                }
        }
        wait(for: [done], timeout: 5)
        XCTAssertEqual(order, ["status", "success 1", "success 2"])
    }

    func testOrderAwaited() async {
        let client = SimpleNetworking(Server.open())
        var order: [String] = []
        let done = expectation(description: "done")
        client.get("/x") {
            $0.on(httpStatus: 200) { _, _ in
                order.append("status")
                return true
            }
            .on(success: { _ in
                order.append("success")
                done.fulfill()
            })
        }
        await fulfillment(of: [done], timeout: 5)
        XCTAssertEqual(order, ["status", "success"])
    }

    @MainActor
    func testOrderOnTheMainActor() {
        let client = SimpleNetworking(Server.open(), callbackQueue: .global())
        var order: [String] = []
        let done = expectation(description: "done")
        client.get("/x") {
            $0.on(success: { _ in order.append("1") })
                .on(success: { _ in
                    order.append("2")
                    done.fulfill()
                })
        }
        wait(for: [done], timeout: 5)
        XCTAssertEqual(order, ["1", "2"])
    }

    func testTheSubclassAsPrintedSignsInAndRetries() {
        let server = Server.secured(by: "X-Authorization")
        let client = MyAPIManager(server)
        let done = expectation(description: "done")
        client.get("/x") {
            $0.on(success: { response in
                XCTAssertEqual(response.json?["items"] as? [String], ["a"])
                done.fulfill()
            })
        }
        wait(for: [done], timeout: 5)
        XCTAssertEqual(server.log, ["GET /x", "GET /auth", "GET /x"])
    }

    func testTheMainQueueAsCallbackQueue() {
        let client = SimpleNetworking(Server.closed(), callbackQueue: .main)
        let done = expectation(description: "done")
        client.get("/x") {
            $0.on(error: { _, response in
                dispatchPrecondition(condition: .onQueue(.main))
                XCTAssertEqual(response?.httpStatus, 401)
                done.fulfill()
            })
        }
        wait(for: [done], timeout: 5)
    }
}
