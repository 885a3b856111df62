import Bitcoin

/// A signed message.
public struct MessageSignature: Sendable, Equatable {
    /// Whose signature it is.
    public let address: Address
    /// The signature as text.
    public let signature: String
    /// In which format.
    package let format: MessageSignatureFormat
}
