/// Tells why a store could not read or keep a token; the token that was there is there still.
public enum CredentialStoreError: Error, Sendable, Hashable {
    /// Other users of the machine may read or change the file.
    case exposed(path: String, mode: Int)
    /// The path leads elsewhere by a symbolic link, or to something that is no file.
    case notAFile(path: String)
    /// The file belongs to another user.
    case foreign(path: String)
    /// The content is no token.
    case corrupt(path: String)
    /// Another program kept the store to itself for too long, in seconds.
    case locked(path: String, TimeInterval)
    /// A call to the system failed, with its error number.
    case system(call: String, path: String, errno: Int32)
    /// The Keychain refused, with its status.
    case keychain(status: Int32)
}

extension CredentialStoreError: LocalizedError, CustomStringConvertible {
    /// Says in a sentence or two what went wrong and what to do.
    public var errorDescription: String? { description }

    /// Says in a sentence or two what went wrong and what to do.
    public var description: String {
        switch self {
        case .exposed(let path, let mode):
            "Others may read the credentials in “\(path)” (mode \(String(mode, radix: 8))). Make the file yours alone with "
                + "“chmod 600”, and sign in again if somebody may have read it."
        case .notAFile(let path):
            "“\(path)” is a symbolic link or no file. Credentials are kept in a plain file alone: name the file itself."
        case .foreign(let path): "“\(path)” belongs to another user. Keep the credentials in a file of your own."
        case .corrupt(let path):
            "“\(path)” holds no credentials that can be read. It was left as it is; move it away and sign in again."
        case .locked(let path, let seconds):
            "Another program has kept “\(path)” to itself for \(String(format: "%.0f", seconds)) s. Try again."
        case .system(let call, let path, let errno):
            "“\(call)” failed for “\(path)”: \(String(cString: strerror(errno)))."
        case .keychain(let status): "The Keychain refused with status \(status)."
        }
    }
}
