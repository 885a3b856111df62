import ByteCodec

/// The bytes of a script, valid or not. What it means is read by `ScriptTemplate`.
public struct Script: Hashable, Sendable, CustomStringConvertible {
    /// The bytes as they are serialized, without a length.
    public let bytes: [UInt8]

    /// A script of these bytes.
    public init(_ bytes: some Sequence<UInt8> = []) { self.bytes = Array(bytes) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// All bytes at once: an array hands the hasher one byte after the other.
    public func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Lower-case hexadecimal.
    public var description: String { Hex.encode(bytes) }
}
