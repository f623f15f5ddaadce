extension CocoaError {
    /// Creates an error about a file, whose path stands where Foundation has it.
    package init(_ code: Code, path: String) {
        // FoundationEssentials has no constant for this key.
        self.init(code, userInfo: ["NSFilePath": path])
    }
}
