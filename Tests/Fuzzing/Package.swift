// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "SimpleNetworking", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "fuzzing",
            dependencies: [
                .product(name: "SimpleNetworking", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingOAuth", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingTesting", package: "SimpleNetworking"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
