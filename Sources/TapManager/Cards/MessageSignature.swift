import Bitcoin

/// A message's signature by a card, verified as anyone else would verify it: with the message and the address alone.
///
/// Spec: BIP-137; BIP-322, "Simple".
public struct MessageSignature: Sendable, Equatable {
    /// The address of the key that signed, which the card has proven to be its own.
    public let address: Address
    /// The signature in the requested format; its description is the text to pass on.
    public let signature: EncodedMessageSignature
}
