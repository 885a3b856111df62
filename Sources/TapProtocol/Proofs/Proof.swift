/// What a card has to prove. The raw value is the stable name under which a failure is reported.
///
/// Spec: protocol, "What must be verified, always".
public enum Proof: String, Sendable, CaseIterable {
    /// The certificates lead from the card's key to a root.
    case certificateChain = "certificate_chain"
    /// `check`: the card holds the key that its certificates are about.
    case cardKey = "card_key"
    /// The card signed random bytes with a key below its account's extended key: it holds that key and its chain code.
    case account = "account"
    /// The applet's version is not lower than the store has seen of this card.
    case version = "version"
    /// Product, network and proven keys are those that the store has seen of this card.
    case remembered = "remembered"
    /// SATSCARD: the card signed random bytes with the key of an opened slot's address.
    case openedSlot = "opened_slot"
    /// SATSCARD `read`: the card holds the key of its active slot.
    case readSignature = "read_signature"
    /// SATSCARD `read`: the slot's key has the address that `status` shows both ends of.
    case address = "address"
    /// `derive`: the answer is signed with the master key, or with the derived key.
    case deriveSignature = "derive_signature"
    /// After `derive`, `status` names the path that was asked for.
    case path = "path"
    /// The chain code that we supplied came back.
    case chainCode = "chain_code"
    /// An extended key has the key and the chain code that it must have.
    case extendedKey = "extended_key"
    /// `sign`: the signature is one over our digest by the returned key.
    case signature = "signature"
    /// `sign`: the returned key is the one at the asked path.
    case signingKey = "signing_key"
    /// What never changes in `status` has not changed: product, version, birth, network.
    case constantFacts = "constant_facts"
    /// After `change` the card takes the new CVC.
    case cvc = "cvc"
    /// SATSCARD: the slot's key is the one that `check` signed for as sealed, and that other answers name.
    case slotKey = "slot_key"
    /// SATSCARD: what `dump` says of a slot fits the status.
    case slotState = "slot_state"
    /// SATSCARD `unseal`, `dump`: the private key is that of the slot's public key.
    case openedKey = "opened_key"
    /// SATSCARD `derive`, `unseal`, `dump`: the slot's key is `m/0` of the master key and the chain code.
    case masterKey = "master_key"
    /// The decrypted backup holds this card's master key.
    case backup = "backup"
    /// `nfc`: the card's link is signed by the card or its slot, and agrees with `status`.
    case link = "link"
}
