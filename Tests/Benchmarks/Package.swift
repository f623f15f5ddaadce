// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "SimpleNetworking", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.31.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "AllocationCounter"),
        .target(name: "CurlEasy"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "AllocationCounter", "CurlEasy",
                .product(name: "SimpleNetworking", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingCaching", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingCookies", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingPagination", package: "SimpleNetworking"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["AllocationCounter", "CurlEasy"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
