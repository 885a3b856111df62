import Bitcoin

/// A signed message.
public struct MessageSignature: Sendable, Equatable {
    /// The address that signed.
    public let address: Address
    /// The signature as text.
    public let signature: String
    /// The signature's format.
    package let format: MessageSignatureFormat
}
