import Bitcoin
import TapManager
import TapProtocol

/// A flow that was interrupted: what is known of it, and how it is gone on with.
struct UnfinishedFlow {
    let entry: FlowEntry
    /// What was being done, and how far that came; a sentence without its end.
    let words: String
    /// The command that finishes it.
    let command: String

    /// - Parameter store: for the signatures of an interrupted signing, and for the card's fingerprint to tell whose they are.
    init(_ entry: FlowEntry, in store: any Store) throws(StoreError) {
        self.entry = entry
        switch entry.state {
        case .setup(let state):
            words = "setup, interrupted while \(state.step.words)"
            command = "tapkit setup" + (state.backupFile.map { " --backup \($0.shellWord)" } ?? "")
        case .backup(let state):
            words = "a backup, which is not known to be saved in \(state.file)"
            command = "tapkit backup -o \(state.file.shellWord)"
        case .changeCVC:
            words = "a change of the CVC; the card has either the one from before or the new one"
            command = "tapkit change-cvc"
        case .derive(let state):
            words = "a change of the path from \(state.from) to \(state.to)"
            command = "tapkit derive \(state.to)"
        case .unseal(let state):
            words =
                "the opening of slot \(SlotNumber(index: state.slotIndex)) (\(state.address)), whose key was not shown"
            command = "tapkit unseal"
        case .nextSlot(let state):
            words = "the setup of slot \(SlotNumber(index: state.slotIndex))"
            command = "tapkit setup"
        case .sign(let state):
            let id = TransactionID(parsing: state.transaction)
            let stored = try id.flatMap { id throws(StoreError) in try store.transaction(id) }
            let signer = try store.cards().first { $0.ident.text == entry.cardIdent }?.fingerprint
            let count = stored.flatMap { stored in signer.map { stored.psbt.signatureCount(by: $0) } }
            let extent = count.map { state.total > 0 ? ", \($0) of \(state.total) signed by this card" : "" } ?? ""
            words = "the signing of transaction \(state.transaction)\(extent); the card's own path is \(state.ownPath)"
            command = stored == nil ? "tapkit derive \(state.ownPath)" : "tapkit tx sign \(state.transaction)"
        }
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
        self.flow = flow.entry.state.kind.rawValue
        message = TerminalText.neutralized(flow.words)
        hint = TerminalText.neutralized(flow.command)
        since = flow.entry.created.seconds
    }
}
