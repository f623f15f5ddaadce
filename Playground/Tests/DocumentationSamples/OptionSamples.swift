// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import SimpleNetworking

enum Gzip: OptionKey {
    static let defaultValue = false
}

extension SimpleNetworking.Configuration {
    public var compressesBodies: Bool {
        get { self[Gzip.self] }
        set { self[Gzip.self] = newValue }
    }
}

extension SimpleRequest {
    @discardableResult public func compressed(_ isCompressed: Bool = true) -> Self {
        option(Gzip.self, isCompressed)
    }
}
