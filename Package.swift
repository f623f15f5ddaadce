// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "SimpleNetworking",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "SimpleNetworking", targets: ["SimpleNetworking"]),
        .library(name: "SimpleNetworkingCaching", targets: ["SimpleNetworkingCaching"]),
        .library(name: "SimpleNetworkingCookies", targets: ["SimpleNetworkingCookies"]),
        .library(name: "SimpleNetworkingDigest", targets: ["SimpleNetworkingDigest"]),
        .library(name: "SimpleNetworkingForms", targets: ["SimpleNetworkingForms"]),
        .library(name: "SimpleNetworkingPagination", targets: ["SimpleNetworkingPagination"]),
        .library(name: "SimpleNetworkingTraffic", targets: ["SimpleNetworkingTraffic"]),
        .library(name: "SimpleNetworkingTransfers", targets: ["SimpleNetworkingTransfers"]),
        // The client with all features above, in one import.
        .library(name: "SimpleNetworkingAll", targets: ["SimpleNetworkingAll"]),
        .library(name: "SimpleNetworkingOAuth", targets: ["SimpleNetworkingOAuth"]),
        .library(name: "SimpleNetworkingTesting", targets: ["SimpleNetworkingTesting"]),
        .library(name: "SimpleNetworkingTestCases", targets: ["SimpleNetworkingTestCases"]),
        // `SimpleNetworking.Request` and others, for those whose own types have these names.
        .library(name: "SimpleNetworkingNames", targets: ["SimpleNetworkingNames"]),
        // The deprecated names of the original, for those who migrate.
        .library(name: "SimpleNetworkingOriginal", targets: ["SimpleNetworkingOriginal"]),
    ],
    targets: [
        .target(name: "CLibcurl"),
        // Tools that know nothing of HTTP clients, with no public symbol: the compiler keeps them below the rooms.
        .target(name: "SimpleNetworkingSupport"),
        // The same for what several features share, and the client doesn't need.
        .target(name: "SimpleNetworkingFeatureSupport", dependencies: ["SimpleNetworkingSupport"]),
        .target(
            name: "SimpleNetworking",
            dependencies: [
                "SimpleNetworkingSupport", .target(name: "CLibcurl", condition: .when(platforms: [.linux])),
            ]
        ),
        // Features: each needs the client, and none of them another one.
        .target(
            name: "SimpleNetworkingCaching",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingCookies",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        .target(name: "SimpleNetworkingDigest", dependencies: ["SimpleNetworking"]),
        .target(
            name: "SimpleNetworkingForms",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        .target(name: "SimpleNetworkingPagination", dependencies: ["SimpleNetworking"]),
        .target(
            name: "SimpleNetworkingTraffic",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingTransfers",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingAll",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingDigest",
                "SimpleNetworkingForms", "SimpleNetworkingPagination", "SimpleNetworkingTraffic",
                "SimpleNetworkingTransfers",
            ]
        ),
        .target(name: "SimpleNetworkingOAuth", dependencies: ["SimpleNetworking"]),
        .target(
            name: "SimpleNetworkingTesting",
            dependencies: ["SimpleNetworking", "SimpleNetworkingFeatureSupport"]
        ),
        // Imports Testing and XCTest, which only test bundles can: the kit itself links with apps, too.
        .target(name: "SimpleNetworkingTestCases", dependencies: ["SimpleNetworkingTesting"]),
        .target(name: "SimpleNetworkingNames", dependencies: ["SimpleNetworkingAll"]),
        .target(name: "SimpleNetworkingOriginal", dependencies: ["SimpleNetworking"]),
        // Limits how many tests run at once.
        .target(name: "SimpleNetworkingTestWidth", path: "Tests/TestWidth"),
        // What both test targets share. It is no product; its long name can't meet one of a user's package.
        .target(
            name: "SimpleNetworkingTestSupport",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingPagination",
                "SimpleNetworkingTraffic", "SimpleNetworkingTransfers", "SimpleNetworkingOAuth",
                "SimpleNetworkingTesting",
                "SimpleNetworkingTestWidth",
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "SimpleNetworkingTests",
            dependencies: [
                "SimpleNetworkingAll", "SimpleNetworkingOriginal", "SimpleNetworkingTesting",
                "SimpleNetworkingTestCases", "SimpleNetworkingTestSupport",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingCachingTests",
            dependencies: [
                "SimpleNetworkingCaching", "SimpleNetworkingTraffic", "SimpleNetworkingTesting",
                "SimpleNetworkingTestSupport",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingCookiesTests",
            dependencies: ["SimpleNetworkingCookies", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "SimpleNetworkingDigestTests",
            dependencies: ["SimpleNetworkingDigest", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "SimpleNetworkingFormsTests",
            dependencies: ["SimpleNetworkingForms", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "SimpleNetworkingPaginationTests",
            dependencies: ["SimpleNetworkingPagination", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "SimpleNetworkingTrafficTests",
            dependencies: ["SimpleNetworkingTraffic", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "SimpleNetworkingTransfersTests",
            dependencies: ["SimpleNetworkingTransfers", "SimpleNetworkingTesting", "SimpleNetworkingTestSupport"]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingTesting",
                "SimpleNetworkingTestSupport",
            ],
            path: "Tests/Conformance"
        ),
        // A program for the tests to start and to kill.
        .executableTarget(
            name: "CredentialProcess",
            dependencies: ["SimpleNetworkingOAuth"],
            path: "Tests/CredentialProcess"
        ),
        // Runs the engine in many simulated worlds; optimized, since there may be a million.
        .executableTarget(
            name: "EngineSimulation",
            dependencies: ["SimpleNetworkingTesting", "SimpleNetworkingTestSupport"],
            path: "Tests/EngineSimulation"
        ),
        .testTarget(
            name: "SimpleNetworkingOAuthTests",
            dependencies: [
                "SimpleNetworkingCaching", "SimpleNetworkingOAuth", "SimpleNetworkingTesting",
                "SimpleNetworkingTestSupport", "CredentialProcess",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CLibcurl", "SimpleNetworkingTestWidth"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Apple's tools collect privacy manifests from resources. Elsewhere these would only make a folder to ship with a program.
for target in package.targets where ["SimpleNetworking", "SimpleNetworkingOAuth"].contains(target.name) {
    #if canImport(Darwin)
        target.resources = [.process("PrivacyInfo.xcprivacy")]
    #else
        target.exclude = ["PrivacyInfo.xcprivacy"]
    #endif
}

// What stands on POSIX alone: sockets, and files that others can't read. A manifest knows only the system that builds.
#if os(Windows)
    let onPOSIX = [
        "SimpleNetworkingOAuth": [
            "Redirects/LoopbackListener.swift", "Redirects/RedirectServer.swift", "Redirects/RedirectSocket.swift",
            "Sessions/OAuthSession+Loopback.swift",
            "Stores/FileCredentialStore.swift", "Stores/PrivateFile.swift",
        ],
        "SimpleNetworkingTesting": ["Loopback"],
    ]
    for target in package.targets { target.exclude += onPOSIX[target.name, default: []] }
#endif
