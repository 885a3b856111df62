/// A task that only some products can do, named in an error when another product is asked for it.
public enum CardTask: Sendable, Hashable, CaseIterable {
    /// Signing a PSBT with a key below a path.
    case signTransaction
    /// Signing a message, with whichever key the product has.
    case signMessage
    /// Signing a message with a key below the card's path.
    case signMessageBelowPath
    /// Signing a message with the key of a slot.
    case signMessageBySlot
    /// Signing a record of an extended key for the coordinator of a multisig wallet (BIP-129).
    case signKeyRecord
    /// Signing a wallet, to register it.
    case registerWallet
    /// Showing the extended public key of the account at the card's path.
    case readAccount
    /// Getting a key, a path, a backup and a new CVC.
    case setUp
    /// Encrypting the master key for a file.
    case backUp
    /// Having the same keys as a backup.
    case compareBackup
    /// Getting another CVC.
    case changeCVC
    /// Moving to another path.
    case derive
    /// Giving the next slot a key.
    case setUpSlot
    /// Giving out the private key of a slot, which unseals it.
    case unsealSlot
    /// Showing all slots.
    case showSlots
    /// Showing the complete address of one slot.
    case showSlotAddress
    /// Signing with the keys of slots, to empty them.
    case sweep
    /// Proving that it has the keys for money.
    case proveKeys
    /// Proving that an address of a wallet has the card's key.
    case proveAddress
    /// Proving its fingerprint.
    case identify

    /// The task in words that follow “cannot”.
    package var words: String {
        switch self {
        case .signTransaction: "sign a PSBT"
        case .signMessage: "sign a message"
        case .signMessageBelowPath: "sign with a key below a path"
        case .signMessageBySlot: "sign with a slot's key"
        case .signKeyRecord: "sign a record of its extended key"
        case .registerWallet: "register a wallet"
        case .readAccount: "show an xpub"
        case .setUp: "be set up"
        case .backUp: "make a backup"
        case .compareBackup: "have made this backup"
        case .changeCVC: "change its CVC"
        case .derive: "be moved to a path"
        case .setUpSlot: "set up a slot"
        case .unsealSlot: "unseal a slot"
        case .showSlots: "show slots"
        case .showSlotAddress: "show a slot's address"
        case .sweep: "sweep its slots"
        case .proveKeys: "prove its keys"
        case .proveAddress: "prove a wallet's address"
        case .identify: "prove a fingerprint"
        }
    }
}
