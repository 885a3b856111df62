import Bitcoin
import TapProtocol

/// The progress of an unfinished flow: enough to continue, in this process or another. Contains no secrets.
///
/// A step is recorded before its command is sent, so the recorded step may have been done or not, but all steps before
/// it are done.
package enum FlowState: Sendable, Hashable, Codable {
    case setup(SetupState)
    case backup(BackupState)
    case changeCVC(ChangeCVCState)
    case derive(DeriveState)
    case unseal(UnsealState)
    case nextSlot(NextSlotState)
    case sign(SignState)

    /// The flow's kind: a card has at most one entry for each.
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

/// The progress of a card's setup.
package struct SetupState: Sendable, Hashable, Codable {
    /// The current step; only the card knows whether it was done.
    package var step: SetupStep
    /// The chain code that the card is given; `nil` for a card that had its key before.
    package var chainCode: ChainCode?
    /// The chosen path; `nil`: the one that the card has, or the default.
    package var path: DerivationPath?
    /// The backup's file; `nil` for a card without backups.
    package var backupFile: String?
    /// Whether the card keeps its CVC.
    package var keepsCVC: Bool
    /// Whether the card has the new CVC, proven.
    package var isCVCChanged: Bool
    /// Whether the card was ready when the setup began, so that the setup only proves or changes it. The card must say
    /// the same: anyone who can write to the store can write this.
    package var wasReady: Bool

    init(
        step: SetupStep, chainCode: ChainCode?, path: DerivationPath?, backupFile: String?, keepsCVC: Bool = false,
        isCVCChanged: Bool, wasReady: Bool = false
    ) {
        self.step = step
        self.chainCode = chainCode
        self.path = path
        self.backupFile = backupFile
        self.keepsCVC = keepsCVC
        self.isCVCChanged = isCVCChanged
        self.wasReady = wasReady
    }
}

/// The progress of a backup: the card may have counted one more.
package struct BackupState: Sendable, Hashable, Codable {
    /// The file in which to save it.
    package var file: String

    init(file: String) {
        self.file = file
    }
}

/// A change of the CVC: the card may have either. Only the user knows which CVCs they are.
package struct ChangeCVCState: Sendable, Hashable, Codable {
    /// Which one was last tried, to find out; `nil`: none since the change was sent.
    var lastTried: CVCSearch.Holder?
}

/// A change of the card's path: it may be at either.
package struct DeriveState: Sendable, Hashable, Codable {
    /// The old path.
    package var from: DerivationPath
    /// The new path.
    package var to: DerivationPath

    init(from: DerivationPath, to: DerivationPath) {
        self.from = from
        self.to = to
    }
}

/// The unsealing of a slot: it may be unsealed.
package struct UnsealState: Sendable, Hashable, Codable {
    /// The slot, counted from 0 as in the protocol.
    package var slotIndex: Int
    /// Both ends of its address as the card showed them.
    package var address: String

    init(slotIndex: Int, address: String) {
        self.slotIndex = slotIndex
        self.address = address
    }
}

/// The setup of a slot: it may have its key.
package struct NextSlotState: Sendable, Hashable, Codable {
    /// The slot, counted from 0 as in the protocol.
    package var slotIndex: Int
    /// The chain code that the card is given.
    package var chainCode: ChainCode

    init(slotIndex: Int, chainCode: ChainCode) {
        self.slotIndex = slotIndex
        self.chainCode = chainCode
    }
}

/// The signing of a stored transaction: its signatures are in the store; the card may be at another path than its own.
package struct SignState: Sendable, Hashable, Codable {
    /// The unsigned transaction's id.
    package var transaction: TransactionID
    /// The path that the card had, and must have again.
    package var ownPath: DerivationPath
    /// How many signatures the card makes in total.
    package var total: Int

    init(transaction: TransactionID, ownPath: DerivationPath, total: Int) {
        self.transaction = transaction
        self.ownPath = ownPath
        self.total = total
    }
}
