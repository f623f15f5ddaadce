import Foundation

/// Writes at once, also into a pipe, where `print` would hold the text back.
enum Console {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
