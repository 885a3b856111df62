import Bitcoin
import TapProtocol

/// What a CVC is needed for.
public enum CVCPurpose: Sendable, Equatable {
    /// Signing a transaction: the review that was shown for this card and confirmed, made before the card has proven
    /// its keys.
    case signTransaction(TransactionReview)
    /// Signing a message: the one that was shown and confirmed, by the key and as the address that were shown with it
    /// (``MessageQuestion``).
    case signMessage([UInt8], by: MessageQuestion.Key, address: Address?)
    /// Signing a record of the card's key for the coordinator of a multisig wallet, which was shown and confirmed with
    /// this description.
    case signKeyRecord(description: String)
    /// Signing the wallet with this name, which was shown and confirmed, to register it.
    case registerWallet(String)
    /// Reading the account at the card's path, or the master key.
    case readAccount
    /// Giving the card its key, a backup and a new CVC.
    case setUp
    /// Fetching the encrypted backup.
    case backUp
    /// Comparing the card's keys with those in a backup.
    case compareBackup
    /// Giving the card another CVC.
    case changeCVC
    /// Moving the card to a path.
    case derive(DerivationPath)
    /// SATSCARD: giving the next slot a key.
    case setUpSlot
    /// SATSCARD: unsealing a slot permanently, and showing its key.
    case openSlot
    /// SATSCARD: showing the keys of unsealed slots.
    case showSlotKeys
    /// SATSCARD: signing a sweep, whose review was shown and confirmed.
    case sweep(TransactionReview, opensSlot: Bool)
    /// Having the card prove that it has the keys for money.
    case proveKeys
    /// Having the card prove an address of its keys.
    case proveAddress
    /// Checking whether the card has the wanted fingerprint.
    case identify

    /// The products that can do it.
    var products: Set<CardProduct> {
        switch self {
        case .signTransaction, .signKeyRecord, .registerWallet, .readAccount, .setUp, .changeCVC, .derive,
            .proveAddress, .identify:
            [.tapsigner, .satschip]
        case .backUp, .compareBackup: [.tapsigner]
        case .setUpSlot, .openSlot, .showSlotKeys, .sweep: [.satscard]
        case .signMessage, .proveKeys: [.tapsigner, .satschip, .satscard]
        }
    }

    /// The task that other products cannot do.
    private var task: CardTask {
        switch self {
        case .signTransaction: .signTransaction
        case .signMessage: .signMessage
        case .signKeyRecord: .signKeyRecord
        case .registerWallet: .registerWallet
        case .readAccount: .readAccount
        case .setUp: .setUp
        case .backUp: .backUp
        case .compareBackup: .compareBackup
        case .changeCVC: .changeCVC
        case .derive: .derive
        case .setUpSlot: .setUpSlot
        case .openSlot: .unsealSlot
        case .showSlotKeys: .showSlots
        case .sweep: .sweep
        case .proveKeys: .proveKeys
        case .proveAddress: .proveAddress
        case .identify: .identify
        }
    }

    /// Why a card in this state cannot do it; `nil` if nothing is known to prevent it.
    func obstacle(_ status: CardStatus) -> FlowError? {
        switch self {
        case .signTransaction, .signKeyRecord, .registerWallet, .readAccount, .backUp, .compareBackup, .changeCVC,
            .derive, .proveAddress, .identify:
            Self.missingKey(status)
        case .signMessage, .setUp, .setUpSlot, .openSlot, .showSlotKeys, .sweep, .proveKeys: nil
        }
    }

    /// `FlowError.notSetUp` for a card that has no key.
    static func missingKey(_ status: CardStatus) -> FlowError? { status.isSetUp ? nil : .notSetUp }

    /// Confirms that the card has slots to sweep, before anything is known about the sweep.
    /// - Throws: `FlowError.wrongProduct`.
    static func requireSlots(of card: CardAtHand) throws(FlowError) {
        let product = card.status.product
        guard product == .satscard else { throw .wrongProduct(product, task: .sweep) }
    }

    /// Confirms that the card's product can do it, so that nobody is asked for a CVC in vain.
    /// - Throws: `FlowError.wrongProduct`.
    func requireProduct(of card: CardAtHand) throws(FlowError) {
        let product = card.status.product
        guard products.contains(product) else { throw .wrongProduct(product, task: task) }
    }
}
