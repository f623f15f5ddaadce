import SimpleNetworkingSupport

/// Describes why a store could not load or save a token.
///
/// A previously stored token remains in the store.
public enum CredentialStoreError: Error, Sendable, Hashable {
    /// Other users of the machine can read or change the file.
    case exposed(path: String, mode: Int)
    /// The path is a symbolic link or isn't a file.
    case notAFile(path: String)
    /// The file belongs to another user.
    case foreign(path: String)
    /// The stored content is not a token.
    case corrupt(path: String)
    /// Another program kept the store locked for this many seconds.
    case locked(path: String, TimeInterval)
    /// A system call failed with this error number.
    case system(call: String, path: String, errno: Int32)
    /// The Keychain failed with this status.
    case keychain(status: Int32)
}

extension CredentialStoreError: LocalizedError, CustomStringConvertible {
    /// A description of the error and how to resolve it, in one or two sentences.
    public var errorDescription: String? { description }

    /// A description of the error and how to resolve it, in one or two sentences.
    public var description: String {
        switch self {
        case .exposed(let path, let mode):
            "Others may read the credentials in “\(path)” (mode \(String(mode, radix: 8))). Protect the file with "
                + "“chmod 600”, and sign in again if another user may have read it."
        case .notAFile(let path):
            "“\(path)” is a symbolic link or not a file. Credentials need a plain file: give the file's own path."
        case .foreign(let path): "“\(path)” belongs to another user. Use a file of your own for the credentials."
        case .corrupt(let path):
            "“\(path)” holds no readable credentials. It was left as it is; move it away and sign in again."
        case .locked(let path, let seconds):
            "Another program has kept “\(path)” locked for \(Int(saturating: seconds.rounded())) s. Try again."
        case .system(let call, let path, let errno):
            "“\(call)” failed for “\(path)”: \(String(cString: strerror(errno)))."
        case .keychain(let status): "The Keychain failed with status \(status)."
        }
    }
}
