extension QRCode {
    /// The largest version.
    package static let largestVersion = 40

    /// The version of a code with this many modules per side.
    package static func version(ofSize size: Int) -> Int { (size - 17) / 4 }

    /// The number of modules per side of a version.
    package static func size(ofVersion version: Int) -> Int { 17 + 4 * version }

    /// How many characters of QR's alphanumeric set a version holds at error correction level L.
    ///
    /// Spec: ISO/IEC 18004, "Symbol capacity".
    /// - Parameter version: 1 to 40.
    static func alphanumericCapacity(version: Int) -> Int {
        capacities.indices.contains(version - 1) ? capacities[version - 1] : 0
    }

    private static let capacities = [
        25, 47, 77, 114, 154, 195, 224, 279, 335, 395, 468, 535, 619, 667, 758, 854, 938, 1046, 1153, 1249, 1352, 1460,
        1588, 1704, 1853, 1990, 2132, 2223, 2369, 2520, 2677, 2840, 3009, 3183, 3351, 3537, 3729, 3927, 4087, 4296,
    ]
}

extension QRCode.Level {
    /// How many bytes of any ASCII text the largest version holds. libqrencode may take longer text: digits and
    /// capitals take less room.
    ///
    /// Spec: ISO/IEC 18004, "Symbol capacity".
    var capacity: Int {
        switch self {
        case .low: 2_953
        case .medium: 2_331
        }
    }
}
