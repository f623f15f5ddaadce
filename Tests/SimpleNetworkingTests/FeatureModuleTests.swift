import Foundation
import Testing

/// Keeps the features apart: the client names none of them, and they don't name each other.
@Suite
struct FeatureModuleTests {
    /// What only a feature says, in code and comments, besides the types that it declares.
    private static let words: [String: [String]] = [
        // `notCached` is a case of the client's errors.
        "SimpleNetworkingCaching": ["ResponseCache", "CachePolicy", "response cache", "stored response"],
        "SimpleNetworkingCookies": ["CookieJar", "cookieJar"],
        "SimpleNetworkingDigest": ["DigestAuthenticator", "DigestChallenge", "Digest authentication"],
        "SimpleNetworkingForms": ["Multipart", "multipart/form-data", "Query.Encoding", "Query(encoding"],
        // A query may have a number of a page, and an error may say that a link to the next page wasn't followed.
        "SimpleNetworkingPagination": [
            "pagination", "Pagination", "pages of", "pages(", "page of", "page's", "page handler", "page link",
            "on(page", "each page", "another page", "further page", "later page", "additional page", "`Link`",
        ],
        "SimpleNetworkingTraffic": [
            ".traffic", "traffic rules", "traffic limits", "Traffic", "coalesc", "Coalesc", "hedg", "Hedg", "circuit",
            "breaker", "retryAllowance", "retry allowance", "respectsRateLimits", "server's word",
            "waitsForConnectivity",
        ],
        "SimpleNetworkingTransfers": [
            "download(for", "resumable", "BackgroundTransfer", "event stream", "eventStream", "server-sent",
            "Last-Event-ID", "reconnect", "JSON lines", "jsonLines", "bytes(for", "lines(for", "events(for",
        ],
    ]

    /// The file of the client that names features: what the compiler says to code that lacks an import.
    private static let hints = "Client/MissingImports.swift"

    private let manifest: Manifest
    /// The files of each feature, of the client and of its tools.
    private let files: [String: [SourceFile]]

    init() throws {
        manifest = try Manifest()
        let modules =
            manifest.features + [
                "SimpleNetworking", "SimpleNetworkingCore", "SimpleNetworkingSupport", "SimpleNetworkingFeatureSupport",
            ]
        files = try Dictionary(uniqueKeysWithValues: modules.map { ($0, try SourceFile.all(of: $0)) })
    }

    @Test
    func everyFeatureHasItsWords() {
        #expect(manifest.features.count >= 2)
        #expect(Set(Self.words.keys) == Set(manifest.features))
    }

    /// What is below a feature, and what stands beside it, doesn't know it.
    @Test
    func noModuleNamesAFeatureThatItDoesNotNeed() {
        for (module, files) in files {
            let needs = Set(manifest.needs(of: module) + [module])
            for feature in manifest.features where !needs.contains(feature) {
                for file in files where module != "SimpleNetworkingCore" || file.path != Self.hints {
                    #expect(names(of: feature, in: file) == [], "\(module)/\(file.path)")
                }
            }
        }
    }

    @Test(arguments: [
        ("let form = Multipart()", true), ("// As in multipart/form-data.", true), ("let isMultipart = true", false),
        ("struct SimpleNetworkingForms {}", true), ("let chunks: MultipartChunks", true), ("struct Form {}", false),
    ])
    func aFeatureThatIsNamedIsFound(text: String, isNamed: Bool) {
        let file = SourceFile(path: "Client/Any.swift", text: text)
        #expect(names(of: "SimpleNetworkingForms", in: file).isEmpty == !isNamed)
    }

    private func names(of feature: String, in file: SourceFile) -> [String] {
        let types = files[feature]?.flatMap(\.types).filter(file.typeNames.contains).map(String.init) ?? []
        return types + ([feature] + (Self.words[feature] ?? [])).filter { isWord($0, in: file.text) }
    }

    /// Whether a text has words that don't begin within another one.
    private func isWord(_ words: String, in text: String) -> Bool {
        text.ranges(of: words).contains { text[..<$0.lowerBound].last?.isLetter != true }
    }

    @Test
    func aFeatureNeedsTheClientAndImportsWhatTheManifestSays() throws {
        #expect(try imports(in: "SimpleNetworkingAll") == ["Exports.swift": manifest.needs(of: "SimpleNetworkingAll")])
        for feature in manifest.features {
            let needs = manifest.needs(of: feature)
            #expect(needs.first == "SimpleNetworkingCore" && needs.count == 2, "\(feature)")
            for (path, imports) in try imports(in: feature) {
                switch path {
                case "Exports.swift": #expect(imports == ["SimpleNetworkingCore"], "\(feature)")
                // Only on Apple's platforms.
                case "Background/SystemBackgroundSession.swift":
                    #expect(imports == ["SimpleNetworking", needs[1]] || imports == [needs[1], "SimpleNetworking"])
                // A table of text alone.
                case "PublicSuffixes+Table.swift": #expect(imports == [])
                default: #expect(imports == [needs[1]], "\(feature)/\(path)")
                }
            }
        }
    }

    private func imports(in module: String) throws -> [String: [String]] {
        try Dictionary(
            uniqueKeysWithValues: SourceFile.all(of: module).map { file in
                let imports = file.code.matches(of: /(?m)^\s*(?:@\w+(?:\([^)]*\))? )*import (\w+)/).map { String($0.1) }
                return (file.path, imports.filter { $0.hasPrefix("Simple") })
            }
        )
    }

    @Test
    func aMissingImportIsOneOfAFeature() throws {
        let hints = try #require(files["SimpleNetworkingCore"]?.first { $0.path == Self.hints })
        let named = hints.text.matches(of: /unavailable, message: "import (\w+)"/).map { String($0.1) }
        #expect((10...20).contains(named.count), "the members most likely to be missed, and their types")
        #expect(Set(named) == Set(manifest.features))
    }

    @Test
    func everyFeatureHasTestsAndAPlaceInThePapers() throws {
        let tests = try Manifest.testTargets().map(\.lastPathComponent)
        let folder = SourceFile.package.appendingPathComponent("Sources/SimpleNetworkingCore/Documentation.docc")
        for paper in ["Architecture.md", "GettingStarted.md"] {
            let text = try String(contentsOf: folder.appendingPathComponent(paper), encoding: .utf8)
            for feature in manifest.features { #expect(text.contains("`\(feature)`"), "\(paper)") }
        }
        for feature in manifest.features { #expect(tests.contains(feature + "Tests")) }
    }
}
