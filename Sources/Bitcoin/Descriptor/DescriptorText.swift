/// An output descriptor as it is kept and passed on: its text with its checksum, and no private key.
///
/// A text can be kept by a program that does not know everything in it: only `parsed` reads it.
///
/// Spec: BIP-380, "Checksum".
public struct DescriptorText: Hashable, Sendable, CustomStringConvertible {
    /// The descriptor, `#`, and eight characters of checksum.
    public let description: String

    /// The text of a descriptor; `nil` if it has a private key, which is never written.
    public init?(_ descriptor: Descriptor) {
        guard let text = descriptor.text else { return nil }
        description = text
    }

    /// A text from the store, which is read by `parsed` alone.
    package init(stored text: String) { description = text }

    /// Reads the descriptor, after its checksum.
    public func parsed() throws(DescriptorError) -> Descriptor { try Descriptor(parsing: description) }
}
