import Bitcoin

/// How a SATSCARD slot's key is derived from its master key: `m/0`.
///
/// Spec: protocol, first section and "What must be verified, always".
enum SlotDerivation {
    private static let step = ChildNumber(rawValue: 0)

    /// The slot's public key; `nil` with a probability below 2⁻¹²⁷.
    static func publicKey(master: PublicKey, chainCode: ChainCode) -> PublicKey? {
        let extended = ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: master)
        return try? extended.child(step).publicKey
    }
}

/// What a slot's public key is derived from, as `derive` proves it.
///
/// Spec: protocol, "Commands" (`derive` on a SATSCARD).
public struct SlotOrigin: Sendable, Hashable {
    /// The slot's master key.
    public let masterKey: PublicKey
    /// The master key's chain code, supplied when the slot was set up.
    public let chainCode: ChainCode
}

/// The private keys of an unsealed slot, proven to belong together: the key's point is the slot's public key, and the
/// key is `m/0` of the master key and chain code.
public struct OpenedSlot: Sendable {
    /// Which slot.
    public let slot: SlotNumber
    /// The slot's key. Whoever has it has the money.
    public let privateKey: PrivateKey
    /// The point of `privateKey`, from which the slot's address is made.
    public let publicKey: PublicKey
    /// The slot's address, P2WPKH.
    public let address: Address
    /// The master key from which the slot's key is derived.
    public let masterKey: PrivateKey
    /// The master key's chain code.
    public let chainCode: ChainCode
    /// The family of networks that the card is for.
    public let network: KeyNetwork
    /// Whether the card reports tampering with the slot; only `dump` says this, and nothing proves it.
    public let isTampered: Bool

    /// Whether the card sent the master key in plain, so that a listener also has the slot's key and the CVC.
    public let wasExposed: Bool

    /// The key in the format that wallets import. Secret: the caller must keep it short-lived.
    public var walletImportFormat: String { WalletImportFormat(privateKey, network: network).text }

    /// The descriptor with the private key and its checksum, for wallets that spend. As secret as the key.
    ///
    /// Spec: BIP-380, BIP-382 (`wpkh`).
    public var descriptor: String {
        let text = "wpkh(\(walletImportFormat))"
        // Every character is from the descriptor alphabet, so there always is a checksum.
        return (try? DescriptorChecksum.append(to: text)) ?? text
    }
}

/// What `dump` reports for a slot.
public enum SlotContent: Sendable {
    /// It has no key yet.
    case unused
    /// It has a key that nobody knows. Only `check` proves that, and only for the active slot.
    case sealed
    /// It was unsealed. Without the CVC, the address is only the card's claim; the public key, from version 1.0.3 on,
    /// belongs to the address.
    case unsealed(Address, PublicKey?)
    /// It was unsealed, and these are its keys, proven.
    case opened(OpenedSlot)
}
