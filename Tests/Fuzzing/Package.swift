// swift-tools-version: 6.0
import Foundation
import PackageDescription

// The parsers are visible within their package only. A package without a URL has the name of its folder, as a C name.
let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    .standardizedFileURL
let packageName = String(
    folder.lastPathComponent.lowercased().enumerated().map { index, character in
        character.isLetter || index > 0 && character.isNumber ? character : "_"
    }
)

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
                .product(name: "SimpleNetworkingCaching", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingCookies", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingForms", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingOAuth", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingPagination", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingTesting", package: "SimpleNetworking"),
                .product(name: "SimpleNetworkingTransfers", package: "SimpleNetworking"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Its name is given below instead.
            packageAccess: false
        )
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-package-name", packageName]),
    ]
}
