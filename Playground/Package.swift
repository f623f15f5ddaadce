// swift-tools-version: 6.2
import PackageDescription

let all = Target.Dependency.product(name: "SimpleNetworkingAll", package: "SimpleNetworking")
let caching = Target.Dependency.product(name: "SimpleNetworkingCaching", package: "SimpleNetworking")
let client = Target.Dependency.product(name: "SimpleNetworking", package: "SimpleNetworking")
let cookies = Target.Dependency.product(name: "SimpleNetworkingCookies", package: "SimpleNetworking")
let core = Target.Dependency.product(name: "SimpleNetworkingCore", package: "SimpleNetworking")
let oauth = Target.Dependency.product(name: "SimpleNetworkingOAuth", package: "SimpleNetworking")
let original = Target.Dependency.product(name: "SimpleNetworkingOriginal", package: "SimpleNetworking")
let pagination = Target.Dependency.product(name: "SimpleNetworkingPagination", package: "SimpleNetworking")
let traffic = Target.Dependency.product(name: "SimpleNetworkingTraffic", package: "SimpleNetworking")
let testCases = Target.Dependency.product(name: "SimpleNetworkingTestCases", package: "SimpleNetworking")
let testing = Target.Dependency.product(name: "SimpleNetworkingTesting", package: "SimpleNetworking")
let transfers = Target.Dependency.product(name: "SimpleNetworkingTransfers", package: "SimpleNetworking")

// The adapter for generated clients is built against a stand-in, which has the few declarations that it uses. To build it
// against the package itself, say where that is: OPENAPI_RUNTIME=https://github.com/apple/swift-openapi-runtime, or a folder.
let openAPIRuntime = Context.environment["OPENAPI_RUNTIME"]
let openAPI: Target.Dependency =
    openAPIRuntime == nil
    ? "OpenAPIRuntime" : .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime")

// The ways to build user code. The four test targets hold symbolic links to the same files.
let userCode: [Target.Dependency] = ["DemoServer", client, testing]

let package = Package(
    name: "Playground",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "SimpleNetworking", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        .target(
            name: "DemoServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
        .target(name: "HumonClient", dependencies: [client]),
        .target(name: "NationBuilderClient", dependencies: [caching, client, oauth, pagination]),
        .target(name: "DemoClient", dependencies: [client, pagination]),
        .target(
            name: "Tour",
            dependencies: ["DemoServer", "HumonClient", "NationBuilderClient", client, pagination, traffic]
        ),
        .target(
            name: "Adapters",
            dependencies: [
                client, openAPI, transfers, .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // Features of a user's own: they use the public part of the package, and no line of it was changed for them.
        .target(name: "Extensions", dependencies: ["CZlib", client]),
        .executableTarget(
            name: "playground",
            dependencies: [
                "DemoServer", "Tour", client, testing, transfers,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(name: "DemoServerTests", dependencies: ["DemoServer"]),
        .testTarget(name: "Swift5Tests", dependencies: userCode, swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "Swift5StrictTests",
            dependencies: userCode,
            swiftSettings: [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]
        ),
        .testTarget(name: "Swift6Tests", dependencies: userCode, swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "Swift6MainActorTests",
            dependencies: userCode,
            swiftSettings: [
                .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
        .target(name: "ClientTestSupport", dependencies: ["DemoServer", client], path: "Tests/Support"),
        .testTarget(
            name: "DemoClientTests",
            dependencies: ["ClientTestSupport", "DemoClient", "DemoServer", client, testing]
        ),
        .testTarget(
            name: "HumonClientTests",
            dependencies: ["ClientTestSupport", "HumonClient", "DemoServer", client, testing]
        ),
        .testTarget(
            name: "NationBuilderClientTests",
            dependencies: [
                "ClientTestSupport", "NationBuilderClient", "DemoServer", caching, client, oauth, pagination, testing,
            ]
        ),
        .testTarget(name: "TourTests", dependencies: ["Tour"]),
        // Has the names of other clients' types.
        .target(name: "Lookalikes", path: "Tests/Lookalikes"),
        .testTarget(
            name: "ClashingNameTests",
            dependencies: ["Lookalikes", client, core, cookies, pagination, testing]
        ),
        // Compiles and runs the samples of the documents: with the products' public names alone, as a user's code is.
        .testTarget(name: "DocumentationSamples", dependencies: [all, client, oauth, original, testCases, testing]),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "Adapters", "DemoServer", client, testing, openAPI,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(
            name: "ExtensionTests",
            dependencies: [
                "Extensions", client, testing, .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
        .testTarget(
            name: "PlaygroundTests",
            dependencies: [
                "playground", "DemoServer", client, testing, .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

switch openAPIRuntime {
case nil:
    package.targets.append(
        .target(name: "OpenAPIRuntime", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")])
    )
case let place? where place.contains("://"):
    package.dependencies.append(.package(url: place, from: "1.11.0"))
case let place?:
    package.dependencies.append(.package(name: "swift-openapi-runtime", path: place))
}

for target in package.targets where target.type != .system {
    // User code is not bound by the stricter rules.
    let rules: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    ]
    target.swiftSettings = (target.swiftSettings ?? rules) + [.treatAllWarnings(as: .error)]
}
