import Bitcoin
import TapProtocol

/// How far an unfinished flow has come: enough to go on, in this process or another. Holds no secret.
///
/// A step is written before the command that it is about is sent; so the step that stands here may have been done, or
/// not, and all before it are.
package enum FlowState: Sendable, Hashable, Codable {
    case setup(SetupState)
    case backup(BackupState)
    case changeCVC(ChangeCVCState)
    case derive(DeriveState)
    case unseal(UnsealState)
    case nextSlot(NextSlotState)
    case sign(SignState)

    /// The flow whose state it is: a card has one entry for each kind.
    package var kind: FlowKind {
        switch self {
        case .setup: .setup
        case .backup: .backup
        case .changeCVC: .changeCVC
        case .derive: .derive
        case .unseal: .unseal
        case .nextSlot: .nextSlot
        case .sign: .sign
        }
    }
}

/// How far a card's setup has come.
package struct SetupState: Sendable, Hashable, Codable {
    /// The step that is under way; whether the card has taken it, only the card can tell.
    package var step: SetupStep
    /// The chain code that the card is given; `nil` for a card that had its key before.
    package var chainCode: ChainCode?
    /// The path that was chosen; `nil`: what the card has, or the default one.
    package var path: DerivationPath?
    /// The backup's file; `nil` for a card without.
    package var backupFile: String?
    /// Whether the card shall keep its CVC.
    package var keepsCVC: Bool
    /// Whether the card has the new CVC, proven.
    package var isCVCChanged: Bool

    init(
        step: SetupStep, chainCode: ChainCode?, path: DerivationPath?, backupFile: String?, keepsCVC: Bool = false,
        isCVCChanged: Bool
    ) {
        self.step = step
        self.chainCode = chainCode
        self.path = path
        self.backupFile = backupFile
        self.keepsCVC = keepsCVC
        self.isCVCChanged = isCVCChanged
    }
}

/// How far a backup has come: the card may have counted one more.
package struct BackupState: Sendable, Hashable, Codable {
    /// The file in which it is to be saved.
    package var file: String

    init(file: String) {
        self.file = file
    }
}

/// A change of the CVC: either may hold. Which CVCs they are is nobody's business but the person's.
package struct ChangeCVCState: Sendable, Hashable, Codable {
    /// Which one was tried last, to find out; `nil`: none since the order to change it.
    var lastTried: CVCSearch.Holder?
}

/// A change of the card's path: it may be at either.
package struct DeriveState: Sendable, Hashable, Codable {
    /// The path before.
    package var from: DerivationPath
    /// The path to be.
    package var to: DerivationPath

    init(from: DerivationPath, to: DerivationPath) {
        self.from = from
        self.to = to
    }
}

/// The opening of a slot: it may be open.
package struct UnsealState: Sendable, Hashable, Codable {
    /// The slot, counted from 0 as the protocol does.
    package var slotIndex: Int
    /// Both ends of its address as the card showed them.
    package var address: String

    init(slotIndex: Int, address: String) {
        self.slotIndex = slotIndex
        self.address = address
    }
}

/// A slot that gets its key: it may have it.
package struct NextSlotState: Sendable, Hashable, Codable {
    /// The slot, counted from 0 as the protocol does.
    package var slotIndex: Int
    /// The chain code that the card is given.
    package var chainCode: ChainCode

    init(slotIndex: Int, chainCode: ChainCode) {
        self.slotIndex = slotIndex
        self.chainCode = chainCode
    }
}

/// The signing of a stored transaction: its signatures are in the store, the card may be at another path than its own.
package struct SignState: Sendable, Hashable, Codable {
    /// The unsigned transaction's id.
    package var transaction: TransactionID
    /// The path that the card had, and shall have again.
    package var ownPath: DerivationPath
    /// How many signatures the card gives in all.
    package var total: Int

    init(transaction: TransactionID, ownPath: DerivationPath, total: Int) {
        self.transaction = transaction
        self.ownPath = ownPath
        self.total = total
    }
}
