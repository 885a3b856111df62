import Bitcoin

/// A signed message.
public struct MessageSignature: Sendable, Equatable {
    /// The address that signed.
    public let address: Address
    /// The signature, verified; its description is the text to pass on.
    public let signature: EncodedMessageSignature
}
