import AnswerDocuments
import Bitcoin
import TapManager
import TextLayout

/// An unfinished flow for the user, with the command that continues it.
extension UnfinishedFlow {
    /// What was being done, and how far it got; a sentence without its period.
    var words: String {
        switch work {
        case .setUp(let step, _, _): "setup, interrupted while \(step.words)"
        case .backUp(let file, _): "a backup that may not be saved in \(file.path)"
        case .changeCVC: "a change of the CVC; the card has either the old or the new one"
        case .derive(let from, let to): "a move from path \(from) to \(to)"
        case .unseal(let slot, let address):
            "unsealing slot \(slot)\(address.map { " (\($0))" } ?? ""); its key was not shown"
        case .setUpSlot(let slot): "setting up slot \(slot)"
        case .sign(let id, _, let extent, let ownPath):
            "signing transaction \(id)"
                + (extent.map { ", \($0.done) of \($0.total) signed by this card" } ?? "")
                + (ownPath.map { "; the card's own path is \($0)" } ?? "")
        }
    }

    /// The command that finishes it.
    var command: String {
        switch work {
        case .setUp(_, let file, let keepsCVC):
            "tapkit setup" + (file.map { " --backup \(ShellWord.quoted($0.path))" } ?? "")
                + (keepsCVC ? " --keep-cvc" : "")
        case .backUp(_, let file): "tapkit backup -o \(ShellWord.quoted(file.path))"
        case .changeCVC: "tapkit change-cvc"
        case .derive(_, let path): derivation(to: path)
        case .unseal: "tapkit unseal"
        case .setUpSlot: "tapkit setup"
        case .sign(let id, let isStored, _, let ownPath):
            if !isStored, let path = ownPath { derivation(to: path) } else { "tapkit tx sign \(id)" }
        }
    }

    private func derivation(to path: DerivationPath) -> String {
        isPathKnown
            ? "tapkit derive \(ShellWord.quoted(path.description))"
            : "tapkit derive PATH, with the path of your account,"
    }

    /// What to do next.
    var wayOn: String { "\(command) to continue what was interrupted" }
}

extension SetupStep {
    /// What the card was doing.
    fileprivate var words: String {
        switch self {
        case .pickingKey: "the card was picking its key"
        case .provingKey: "the key was being proven"
        case .settingPath: "the card was being moved to its path"
        case .backingUp: "the backup was being made"
        case .changingCVC: "the CVC was being changed"
        }
    }
}

extension UnfinishedFlowDocument {
    /// The flow in the terminal's words, with the command that continues it.
    init(_ flow: UnfinishedFlow) { self.init(flow, message: flow.words, command: flow.command) }
}
