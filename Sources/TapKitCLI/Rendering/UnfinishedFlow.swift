import Bitcoin
import TapManager
import TapProtocol

/// A flow that was interrupted: what is known of it, and how it is gone on with.
struct UnfinishedFlow {
    /// Which flow it is.
    let kind: FlowKind
    /// When it began.
    let since: UnixTime
    /// What was being done, and how far that came; a sentence without its end.
    let words: String
    /// The command that finishes it.
    let command: String

    /// - Parameter store: for the signatures of an interrupted signing, and for the card's fingerprint to tell whose they are.
    private init(_ entry: FlowEntry, in store: any Store) throws(StoreError) {
        kind = entry.state.kind
        since = entry.created
        switch entry.state {
        case .setup(let state):
            words = "setup, interrupted while \(state.step.words)"
            let file = state.backupFile.map { BackupFile.name($0, forBackupOf: entry.card, in: store) }
            command =
                "tapkit setup" + (file.map { " --backup \($0.shellWord)" } ?? "")
                + (state.keepsCVC ? " --keep-cvc" : "")
        case .backup(let state):
            words = "a backup, which is not known to be saved in \(state.file)"
            let file = BackupFile.name(state.file, forBackupOf: entry.card, in: store)
            command = "tapkit backup -o \(file.shellWord)"
        case .changeCVC:
            words = "a change of the CVC; the card has either the one from before or the new one"
            command = "tapkit change-cvc"
        case .derive(let state):
            words = "a change of the path from \(state.from) to \(state.to)"
            command = "tapkit derive \(state.to.description.shellWord)"
        case .unseal(let state):
            words =
                "the opening of slot \(SlotNumber(index: state.slotIndex)) (\(state.address)), whose key was not shown"
            command = "tapkit unseal"
        case .nextSlot(let state):
            words = "the setup of slot \(SlotNumber(index: state.slotIndex))"
            command = "tapkit setup"
        case .sign(let state):
            let stored = try store.transaction(state.transaction)
            let signer = try store.cards().first { $0.ident == entry.card }?.fingerprint
            let count = stored.flatMap { stored in signer.map { stored.psbt.signatureCount(by: $0) } }
            let extent = count.map { state.total > 0 ? Self.extent($0, of: state.total) : "" } ?? ""
            words = "the signing of transaction \(state.transaction)\(extent); the card's own path is \(state.ownPath)"
            command =
                stored == nil
                ? "tapkit derive \(state.ownPath.description.shellWord)" : "tapkit tx sign \(state.transaction)"
        }
    }

    /// A stored transaction of which the card signed a part, before it turned to something else.
    private init(signing transaction: StoredTransaction, by signer: Fingerprint) {
        (kind, since) = (.sign, transaction.created)
        let total = transaction.psbt.inputs.count { $0.derivations.contains { $0.fingerprint == signer } }
        let extent = Self.extent(transaction.psbt.signatureCount(by: signer), of: total)
        words = "the signing of transaction \(transaction.id)\(extent)"
        command = "tapkit tx sign \(transaction.id)"
    }

    private static func extent(_ count: Int, of total: Int) -> String {
        ", \(count) of \(total) signed by this card"
    }

    /// So many of the newest transactions are looked through for one that is signed in part.
    private static let newest = 100
    /// So many of them are told.
    private static let told = 5

    /// What is unfinished of a card: its flows in the journal, the one begun last first, then transactions that it signed
    /// in part.
    /// - Parameter note: told what the store cannot tell; the rest is returned all the same.
    static func all(
        of card: CardIdent, in store: any Store, noting note: (StoreError) -> Void
    ) -> [UnfinishedFlow] {
        var flows: [UnfinishedFlow] = []
        var journalled: Set<TransactionID> = []
        do throws(StoreError) {
            for entry in try store.flows(of: card) {
                if case .sign(let state) = entry.state { journalled.insert(state.transaction) }
                do throws(StoreError) { flows.append(try UnfinishedFlow(entry, in: store)) } catch { note(error) }
            }
            flows += try begun(by: card, in: store, besides: journalled)
        } catch { note(error) }
        return flows
    }

    private static func begun(
        by card: CardIdent, in store: any Store, besides journalled: Set<TransactionID>
    ) throws(StoreError) -> [UnfinishedFlow] {
        guard let signer = try store.card(card)?.fingerprint else { return [] }
        let begun = try store.transactions(limit: newest, offset: 0).filter {
            $0.missing > 0 && $0.signedBy.contains(signer) && !journalled.contains($0.id)
        }
        var flows: [UnfinishedFlow] = []
        for summary in begun.prefix(told) {
            guard let transaction = try store.transaction(summary.id),
                SignatureTally(transaction.psbt).canSign.contains(signer)
            else { continue }
            flows.append(UnfinishedFlow(signing: transaction, by: signer))
        }
        return flows
    }

    /// What to do next.
    var wayOn: String { "\(command) goes on with what was interrupted" }
}

extension String {
    /// As a shell takes it for one word.
    fileprivate var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:@%=".utf8)
}

extension PSBT {
    /// How many partial signatures there are by keys that are said to have this master fingerprint.
    fileprivate func signatureCount(by signer: Fingerprint) -> Int {
        inputs.reduce(0) { count, input in
            let signers = Set(input.partialSignatures.map(\.publicKey))
            return count + input.derivations.count { $0.fingerprint == signer && signers.contains($0.publicKey) }
        }
    }
}

extension SetupState.Step {
    /// What the card was doing.
    fileprivate var words: String {
        switch self {
        case .pickingKey: "the card picked its key"
        case .provingKey: "the key was proven"
        case .settingPath: "the card was moved to its path"
        case .backingUp: "the backup was made"
        case .changingCVC: "the CVC was changed"
        }
    }
}

/// An unfinished flow as `--json` shows it.
struct UnfinishedFlowDocument: Encodable {
    let flow: String
    let message: String
    let hint: String
    let since: Int64

    init(_ flow: UnfinishedFlow) {
        self.flow = flow.kind.rawValue
        message = TerminalText.neutralized(flow.words)
        hint = TerminalText.neutralized(flow.command)
        since = flow.since.seconds
    }
}
