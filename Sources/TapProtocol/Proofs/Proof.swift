/// What a card has to prove. The raw value is the stable name used to report a failure.
///
/// Spec: protocol, "What must be verified, always".
public enum Proof: String, Sendable, CaseIterable {
    /// The certificates lead from the card's key to a root.
    case certificateChain = "certificate_chain"
    /// `check`: the card holds the key that its certificates certify.
    case cardKey = "card_key"
    /// The card signed random bytes with a key below its account's extended key: it holds that key and its chain code.
    case account = "account"
    /// The applet's version is not lower than what the store has seen on this card.
    case version = "version"
    /// The product, network and proven keys are those that the store has seen on this card.
    case remembered = "remembered"
    /// SATSCARD: the card signed random bytes with the key of an unsealed slot's address.
    case openedSlot = "opened_slot"
    /// SATSCARD `read`: the card holds the key of its active slot.
    case readSignature = "read_signature"
    /// SATSCARD `read`: the ends of the slot key's address match `status`.
    case address = "address"
    /// `derive`: the response is signed with the master key or the derived key.
    case deriveSignature = "derive_signature"
    /// After `derive`, `status` shows the requested path.
    case path = "path"
    /// The chain code that we supplied came back.
    case chainCode = "chain_code"
    /// An extended key has the expected key and chain code.
    case extendedKey = "extended_key"
    /// `sign`: the signature is one of our digest by the returned key.
    case signature = "signature"
    /// `sign`: the returned key is the one at the requested path.
    case signingKey = "signing_key"
    /// What never changes in `status` is unchanged: product, version, birth, network.
    case constantFacts = "constant_facts"
    /// After `change` the card accepts the new CVC.
    case cvc = "cvc"
    /// SATSCARD: the slot's key is the one that `check` signed as sealed, and that other responses gave.
    case slotKey = "slot_key"
    /// SATSCARD: what `dump` reports for a slot agrees with the status.
    case slotState = "slot_state"
    /// SATSCARD `unseal`, `dump`: the private key belongs to the slot's public key.
    case openedKey = "opened_key"
    /// SATSCARD `derive`, `unseal`, `dump`: the slot's key is `m/0` of the master key and the chain code.
    case masterKey = "master_key"
    /// The decrypted backup contains this card's master key.
    case backup = "backup"
    /// `nfc`: the card's link is signed by the card or its slot, and agrees with `status`.
    case link = "link"
}
