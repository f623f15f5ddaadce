// swift-tools-version: 6.0
import PackageDescription

// Linux has libcurl; elsewhere, the only engine is `URLSession`, which the module above the core has.
#if os(Linux)
    let engine: [String] = []
#else
    let engine = ["SimpleNetworking"]
#endif

let package = Package(
    name: "SimpleNetworking",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "SimpleNetworking", targets: ["SimpleNetworking"]),
        // The client without what needs full Foundation, for light programs on Linux.
        .library(name: "SimpleNetworkingCore", targets: ["SimpleNetworkingCore"] + engine),
        .library(name: "SimpleNetworkingCaching", targets: ["SimpleNetworkingCaching"] + engine),
        .library(name: "SimpleNetworkingCookies", targets: ["SimpleNetworkingCookies"] + engine),
        .library(name: "SimpleNetworkingDigest", targets: ["SimpleNetworkingDigest"] + engine),
        .library(name: "SimpleNetworkingForms", targets: ["SimpleNetworkingForms"] + engine),
        .library(name: "SimpleNetworkingPagination", targets: ["SimpleNetworkingPagination"] + engine),
        .library(name: "SimpleNetworkingTraffic", targets: ["SimpleNetworkingTraffic"] + engine),
        .library(name: "SimpleNetworkingTransfers", targets: ["SimpleNetworkingTransfers"] + engine),
        // The client with all features above, in one import.
        .library(name: "SimpleNetworkingAll", targets: ["SimpleNetworkingAll"]),
        .library(name: "SimpleNetworkingOAuth", targets: ["SimpleNetworkingOAuth"] + engine),
        .library(name: "SimpleNetworkingTesting", targets: ["SimpleNetworkingTesting"]),
        .library(name: "SimpleNetworkingTestCases", targets: ["SimpleNetworkingTestCases"]),
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
            name: "SimpleNetworkingCore",
            dependencies: [
                "SimpleNetworkingSupport", .target(name: "CLibcurl", condition: .when(platforms: [.linux])),
            ]
        ),
        // Adds what needs full Foundation: URLSession and untyped JSON.
        .target(name: "SimpleNetworking", dependencies: ["SimpleNetworkingCore", "SimpleNetworkingSupport"]),
        // Features: each needs the client, and none of them another one.
        .target(
            name: "SimpleNetworkingCaching",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingCookies",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport"]
        ),
        .target(name: "SimpleNetworkingDigest", dependencies: ["SimpleNetworkingCore", "SimpleNetworkingSupport"]),
        .target(
            name: "SimpleNetworkingForms",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport"]
        ),
        .target(name: "SimpleNetworkingPagination", dependencies: ["SimpleNetworkingCore", "SimpleNetworkingSupport"]),
        .target(
            name: "SimpleNetworkingTraffic",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingTransfers",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport"]
        ),
        .target(
            name: "SimpleNetworkingAll",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingDigest",
                "SimpleNetworkingForms", "SimpleNetworkingPagination", "SimpleNetworkingTraffic",
                "SimpleNetworkingTransfers",
            ]
        ),
        .target(name: "SimpleNetworkingOAuth", dependencies: ["SimpleNetworkingCore", "SimpleNetworkingSupport"]),
        .target(
            name: "SimpleNetworkingTesting",
            dependencies: ["SimpleNetworkingCore", "SimpleNetworkingFeatureSupport", "SimpleNetworkingSupport"]
        ),
        // Imports Testing and XCTest, which only test bundles can: the kit itself links with apps, too.
        .target(name: "SimpleNetworkingTestCases", dependencies: ["SimpleNetworkingTesting"]),
        .target(name: "SimpleNetworkingOriginal", dependencies: ["SimpleNetworking"]),
        // Limits how many tests run at once.
        .target(name: "SimpleNetworkingTestWidth", path: "Tests/TestWidth"),
        // What both test targets share. It is no product; its long name can't meet one of a user's package.
        .target(
            name: "SimpleNetworkingTestSupport",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingCore",
                "SimpleNetworkingFeatureSupport", "SimpleNetworkingOAuth", "SimpleNetworkingPagination",
                "SimpleNetworkingSupport", "SimpleNetworkingTestWidth", "SimpleNetworkingTesting",
                "SimpleNetworkingTraffic", "SimpleNetworkingTransfers",
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "SimpleNetworkingTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingAll", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport",
                "SimpleNetworkingOriginal", "SimpleNetworkingSupport", "SimpleNetworkingTestCases",
                "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingCachingTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport",
                "SimpleNetworkingSupport", "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
                "SimpleNetworkingTraffic",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingCookiesTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCookies", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport",
                "SimpleNetworkingSupport", "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingDigestTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingDigest", "SimpleNetworkingFeatureSupport",
                "SimpleNetworkingSupport", "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingFormsTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport", "SimpleNetworkingForms",
                "SimpleNetworkingSupport", "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingPaginationTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport",
                "SimpleNetworkingPagination", "SimpleNetworkingSupport", "SimpleNetworkingTestSupport",
                "SimpleNetworkingTesting",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingTrafficTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport", "SimpleNetworkingSupport",
                "SimpleNetworkingTestSupport", "SimpleNetworkingTesting", "SimpleNetworkingTraffic",
            ]
        ),
        .testTarget(
            name: "SimpleNetworkingTransfersTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport", "SimpleNetworkingSupport",
                "SimpleNetworkingTestSupport", "SimpleNetworkingTesting", "SimpleNetworkingTransfers",
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCookies", "SimpleNetworkingCore",
                "SimpleNetworkingFeatureSupport", "SimpleNetworkingSupport", "SimpleNetworkingTestSupport",
                "SimpleNetworkingTesting",
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
            dependencies: [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingFeatureSupport", "SimpleNetworkingSupport",
                "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
            ],
            path: "Tests/EngineSimulation"
        ),
        .testTarget(
            name: "SimpleNetworkingOAuthTests",
            dependencies: [
                "CredentialProcess", "SimpleNetworking", "SimpleNetworkingCaching", "SimpleNetworkingCore",
                "SimpleNetworkingFeatureSupport", "SimpleNetworkingOAuth", "SimpleNetworkingSupport",
                "SimpleNetworkingTestSupport", "SimpleNetworkingTesting",
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

// Background transfers need Apple's `URLSession`.
for target in package.targets where target.name == "SimpleNetworkingTransfers" {
    let isApple = TargetDependencyCondition.when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS])
    target.dependencies.append(.target(name: "SimpleNetworking", condition: isApple))
}

// Apple's tools collect privacy manifests from resources. Elsewhere these would only make a folder to ship with a program.
for target in package.targets where ["SimpleNetworkingCore", "SimpleNetworkingOAuth"].contains(target.name) {
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
