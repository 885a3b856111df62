import ByteCodec

/// The bytes of a script, valid or not. `ScriptTemplate` reads its meaning.
public struct Script: Hashable, Sendable, CustomStringConvertible {
    /// The bytes as serialized, without a length.
    public let bytes: [UInt8]

    /// A script of these bytes.
    public init(_ bytes: some Sequence<UInt8> = []) { self.bytes = Array(bytes) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Hashes all bytes at once: an array would hand the hasher one byte at a time.
    public func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Lower-case hexadecimal.
    public var description: String { Hex.encode(bytes) }
}
