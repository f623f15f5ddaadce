/// An event as Humon's app sends it.
struct HumonEventContent: Codable, Sendable {
    let name: String?
    let address: String?
    let lat: Double
    let lon: Double
    let started_at: String?
    let ended_at: String?

    /// What Rails' validations say.
    var errors: [String] {
        (name?.isEmpty ?? true ? ["Name can't be blank"] : [])
            + (started_at == nil ? ["Started at can't be blank"] : [])
    }
}
