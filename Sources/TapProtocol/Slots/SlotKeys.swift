import Bitcoin

/// How a SATSCARD slot's key follows from its master key: `m/0`.
///
/// Spec: protocol, first section and "What must be verified, always".
enum SlotDerivation {
    private static let step = ChildNumber(rawValue: 0)

    /// The slot's public key; `nil` with a chance below 2⁻¹²⁷.
    static func publicKey(master: PublicKey, chainCode: ChainCode) -> PublicKey? {
        let extended = ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: master)
        return try? extended.child(step).publicKey
    }
}

/// A slot's public key with what it follows from, as `derive` proves it.
///
/// Spec: protocol, "Commands" (`derive` on a SATSCARD).
public struct SlotOrigin: Sendable, Hashable {
    /// The slot's master key.
    public let masterKey: PublicKey
    /// The master key's chain code: the one that was supplied when the slot was set up.
    public let chainCode: ChainCode
}

/// The private keys of an opened slot, proven to belong together: the key's point is the slot's public key, and the key
/// is `m/0` of the master key and the chain code.
public struct OpenedSlot: Sendable {
    /// Which slot.
    public let slot: SlotNumber
    /// The slot's key. Who has it has the money.
    public let privateKey: PrivateKey
    /// The point of `privateKey`, which the slot's address is made of.
    public let publicKey: PublicKey
    /// The slot's address, P2WPKH.
    public let address: Address
    /// The master key from which the slot's key derives.
    public let masterKey: PrivateKey
    /// The master key's chain code.
    public let chainCode: ChainCode
    /// Which family of networks the card is for.
    public let network: KeyNetwork
    /// Whether the card says that somebody tampered with the slot; said by `dump` only, and proven by nothing.
    public let isTampered: Bool

    /// Whether the card sent the master key unhidden, so that whoever listened has the slot's key too, and the CVC.
    public let wasExposed: Bool

    /// The key as wallets import it. Secret: it is the caller's duty to keep it short-lived.
    public var walletImportFormat: String { WalletImportFormat(privateKey, network: network).text }

    /// The descriptor with the private key and its checksum, for wallets that spend. Secret as the key is.
    ///
    /// Spec: BIP-380, BIP-382 (`wpkh`).
    public var descriptor: String {
        let text = "wpkh(\(walletImportFormat))"
        // Every character comes from the descriptors' own alphabet, so there always is a checksum.
        return (try? DescriptorChecksum.append(to: text)) ?? text
    }
}

/// What `dump` says of a slot.
public enum SlotContent: Sendable {
    /// No key was picked for it yet.
    case unused
    /// It has a key that nobody knows. Only `check` proves that, and only of the active slot.
    case sealed
    /// It was opened. Without the CVC the card only claims that this is its address; a public key comes from version
    /// 1.0.3 on, and then is the address's.
    case unsealed(Address, PublicKey?)
    /// It was opened, and these are its keys, proven.
    case opened(OpenedSlot)
}
