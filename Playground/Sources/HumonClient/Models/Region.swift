/// A part of the map, such as the one on the screen.
public struct Region: Sendable, Hashable {
    /// The latitude of the middle, in degrees.
    public var latitude: Double
    /// The longitude of the middle, in degrees.
    public var longitude: Double
    /// Degrees from the upper edge to the lower one.
    public var latitudeDelta: Double

    /// Makes a region.
    public init(latitude: Double, longitude: Double, latitudeDelta: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.latitudeDelta = latitudeDelta
    }

    /// Kilometres from the middle to the upper edge: a degree of latitude has 111.
    public var radius: Double { latitudeDelta / 2 * 111 }
}
