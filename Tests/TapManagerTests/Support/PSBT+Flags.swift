import Bitcoin
import Testing

extension PSBT {
    /// The PSBT, of version 2 and without modifiable flags, with these.
    func withFlags(_ flags: UInt8?) throws -> PSBT {
        guard let flags else { return self }
        let bytes = serialized()
        let version = try #require(bytes.firstRange(of: [1, 0xFB, 4, 2, 0, 0, 0] as [UInt8]))
        let field: [UInt8] = [1, 0x06, 1, flags]
        return try PSBT(serialized: Array(bytes[..<version.lowerBound]) + field + Array(bytes[version.lowerBound...]))
    }
}
