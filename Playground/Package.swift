// swift-tools-version: 6.2
import PackageDescription

let client = Target.Dependency.product(name: "SimpleNetworking", package: "SimpleNetworking")
let oauth = Target.Dependency.product(name: "SimpleNetworkingOAuth", package: "SimpleNetworking")
let testing = Target.Dependency.product(name: "SimpleNetworkingTesting", package: "SimpleNetworking")

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
    ],
    targets: [
        .target(
            name: "DemoServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
        .target(name: "HumonClient", dependencies: [client]),
        .target(name: "NationBuilderClient", dependencies: [client, oauth]),
        .target(name: "DemoClient", dependencies: [client]),
        .target(name: "Tour", dependencies: ["DemoServer", "HumonClient", "NationBuilderClient", client]),
        .executableTarget(
            name: "playground",
            dependencies: [
                "DemoServer", "Tour", client, .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
        .testTarget(name: "DemoClientTests", dependencies: ["DemoClient", "DemoServer", client, testing]),
        .testTarget(name: "HumonClientTests", dependencies: ["HumonClient", "DemoServer", client, testing]),
        .testTarget(
            name: "NationBuilderClientTests",
            dependencies: ["NationBuilderClient", "DemoServer", client, oauth, testing]
        ),
        .testTarget(name: "TourTests", dependencies: ["Tour"]),
        .testTarget(
            name: "PlaygroundTests",
            dependencies: [
                "playground", "DemoServer", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    // User code is not bound by the stricter rules.
    let rules: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    ]
    target.swiftSettings = (target.swiftSettings ?? rules) + [.treatAllWarnings(as: .error)]
}
