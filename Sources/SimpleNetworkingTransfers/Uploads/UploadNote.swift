import SimpleNetworkingFeatureSupport

/// Describes what happened to an upload that the server has offered to resume.
public enum UploadNote: RequestNote, Hashable {
    /// The upload was interrupted, and resumes after this many seconds.
    case interrupted(resumesAfter: TimeInterval)
    /// The upload resumed at this byte offset.
    case resumed(offset: Int)

    /// The step in one line, for the trace and the log.
    public var description: String {
        switch self {
        case .interrupted(let delay): "upload interrupted, resumes in \(delay.wholeMilliseconds) ms"
        case .resumed(let offset): "upload resumes from byte \(offset)"
        }
    }
}
