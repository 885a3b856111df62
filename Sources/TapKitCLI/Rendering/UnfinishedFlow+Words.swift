import TapManager

/// An unfinished flow for people, with the command that goes on with it.
extension UnfinishedFlow {
    /// What was being done, and how far that came; a sentence without its end.
    var words: String {
        switch work {
        case .setUp(let step, _, _): "setup, interrupted while \(step.words)"
        case .backUp(let file, _): "a backup, which is not known to be saved in \(file)"
        case .changeCVC: "a change of the CVC; the card has either the one from before or the new one"
        case .derive(let from, let to): "a change of the path from \(from) to \(to)"
        case .unseal(let slot, let address): "the unsealing of slot \(slot) (\(address)), whose key was not shown"
        case .setUpSlot(let slot): "the setup of slot \(slot)"
        case .sign(let id, _, let extent, let ownPath):
            "the signing of transaction \(id)"
                + (extent.map { ", \($0.done) of \($0.total) signed by this card" } ?? "")
                + (ownPath.map { "; the card's own path is \($0)" } ?? "")
        }
    }

    /// The command that finishes it.
    var command: String {
        switch work {
        case .setUp(_, let file, let keepsCVC):
            "tapkit setup" + (file.map { " --backup \(ShellWord.quoted($0))" } ?? "") + (keepsCVC ? " --keep-cvc" : "")
        case .backUp(_, let file): "tapkit backup -o \(ShellWord.quoted(file))"
        case .changeCVC: "tapkit change-cvc"
        case .derive(_, let to): "tapkit derive \(ShellWord.quoted(to.description))"
        case .unseal: "tapkit unseal"
        case .setUpSlot: "tapkit setup"
        case .sign(let id, let isStored, _, let ownPath):
            if !isStored, let path = ownPath {
                "tapkit derive \(ShellWord.quoted(path.description))"
            } else {
                "tapkit tx sign \(id)"
            }
        }
    }

    /// What to do next.
    var wayOn: String { "\(command) goes on with what was interrupted" }
}

extension SetupStep {
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
