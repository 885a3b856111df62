import Bitcoin
import TapProtocol

/// Unfinished work with a card, as the journal has it: what it was, and its progress. The card is not asked. The same call
/// to ``CardManager`` continues it, and proves what the card has by then.
public struct UnfinishedFlow: Sendable, Equatable {
    /// What was being done.
    public enum Work: Sendable, Equatable {
        /// Setting up the card: the step at which it was interrupted.
        /// - `backupFile`: where the backup can be saved; `nil` for a card without backups.
        /// - `keepsCVC`: whether the card was to keep its CVC.
        case setUp(SetupStep, backupFile: BackupFile?, keepsCVC: Bool)
        /// Making a backup, which is not known to be saved in the file; it can be saved in the second one, which is the
        /// same unless the file has other content.
        case backUp(file: BackupFile, saveableIn: BackupFile)
        /// Changing the CVC: the card may have either.
        case changeCVC
        /// Moving the card: it may be at either path.
        case derive(from: DerivationPath, to: DerivationPath)
        /// Unsealing a slot whose key was not shown.
        /// - `address`: both ends of it, as the card showed them, which proves nothing; `nil` if they are not legible
        ///   in the store.
        case unseal(SlotNumber, address: TrimmedAddress?)
        /// Giving a slot a key.
        case setUpSlot(SlotNumber)
        /// Signing the transaction with this unsigned id.
        /// - `isStored`: whether it is stored, so that signing can continue.
        /// - `extent`: how many signatures the card made, and how many in total; `nil` if that is unknown.
        /// - `ownPath`: the card's own path, where it may not be now; `nil` if the card is not known to have been
        ///   moved.
        case sign(TransactionID, isStored: Bool, extent: Extent?, ownPath: DerivationPath?)
    }

    /// How many of a card's signatures exist, one for each input that it signs.
    public struct Extent: Sendable, Equatable {
        /// How many are stored; not verified again.
        public let done: Int
        /// How many the card makes in total, according to the PSBT.
        public let total: Int
    }

    /// What was being done, and its progress.
    public let work: Work
    /// Whether the path to which it moves the card is one that the card has proven or where wallets look. Anyone who can write
    /// to the store can write any path: nobody must be told to move the card there.
    package let isPathKnown: Bool
    /// When it started, by this machine's clock; for a partly signed transaction, when it was stored.
    public let since: UnixTime

    /// Which flow it is.
    package var kind: FlowKind {
        switch work {
        case .setUp: .setup
        case .backUp: .backup
        case .changeCVC: .changeCVC
        case .derive: .derive
        case .unseal: .unseal
        case .setUpSlot: .nextSlot
        case .sign: .sign
        }
    }

    /// - Parameter store: has the signatures of an interrupted signing, and the card's fingerprint to recognize them.
    init(_ entry: FlowEntry, in store: any Store) throws(StoreError) {
        since = entry.created
        work =
            switch entry.state {
            case .setup(let state):
                .setUp(
                    state.step,
                    backupFile: state.backupFile.map {
                        BackupFile(path: $0).saveable(forBackupOf: entry.card, in: store)
                    },
                    keepsCVC: state.keepsCVC)
            case .backup(let state):
                .backingUp(BackupFile(path: state.file), of: entry.card, in: store)
            case .changeCVC: .changeCVC
            case .derive(let state): .derive(from: state.from, to: state.to)
            case .unseal(let state):
                .unseal(SlotNumber(index: state.slotIndex), address: TrimmedAddress(parsing: state.address))
            case .nextSlot(let state): .setUpSlot(SlotNumber(index: state.slotIndex))
            case .sign(let state): try .signing(state, by: entry.card, in: store)
            }
        switch work {
        case .derive(_, let path), .sign(_, _, _, let path?): isPathKnown = try store.isKnown(path, of: entry.card)
        default: isPathKnown = true
        }
    }

    /// A stored transaction that the card signed in part before it was used for something else.
    init(signing transaction: StoredTransaction, by signer: Fingerprint) {
        since = transaction.created
        isPathKnown = true
        let total = transaction.psbt.inputs.count { $0.derivations.contains { $0.fingerprint == signer } }
        work = .sign(
            transaction.id, isStored: true,
            extent: Extent(done: transaction.psbt.signatureCount(by: signer), total: total), ownPath: nil)
    }
}

extension UnfinishedFlow.Work {
    fileprivate static func backingUp(_ file: BackupFile, of card: CardIdent, in store: any Store) -> Self {
        .backUp(file: file, saveableIn: file.saveable(forBackupOf: card, in: store))
    }

    fileprivate static func signing(
        _ state: SignState, by card: CardIdent, in store: any Store
    ) throws(StoreError) -> Self {
        let stored = try store.transaction(state.transaction)
        let signer = try store.cards().first { $0.ident == card }?.fingerprint
        let count = stored.flatMap { stored in signer.map { stored.psbt.signatureCount(by: $0) } }
        return .sign(
            state.transaction, isStored: stored != nil,
            extent: count.flatMap { state.total > 0 ? .init(done: $0, total: state.total) : nil },
            ownPath: state.ownPath)
    }
}

extension PSBT {
    /// How many partial signatures there are by keys with this claimed master fingerprint.
    fileprivate func signatureCount(by signer: Fingerprint) -> Int {
        inputs.reduce(0) { count, input in
            let signers = Set(input.partialSignatures.map(\.publicKey))
            return count + input.derivations.count { $0.fingerprint == signer && signers.contains($0.publicKey) }
        }
    }
}
