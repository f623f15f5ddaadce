/// Something that happens on the way, and that handlers may want to hear of.
enum Notice: Sendable {
    case event(RequestEvent.Kind)
    case progress(TransferProgress)

    var isProgress: Bool { if case .progress = self { true } else { false } }
}
