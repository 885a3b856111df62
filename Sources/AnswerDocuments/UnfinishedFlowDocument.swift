import TapManager
import TextLayout

/// An unfinished flow as JSON.
package struct UnfinishedFlowDocument: Encodable {
    let flow: String
    let message: String?
    let hint: String?
    /// Where a move of the card leads to, if that is known; only without words.
    private(set) var path: String?
    /// Seconds since 1970.
    let since: Int64

    /// A flow without words for it.
    package init(wordless flow: UnfinishedFlow) {
        self.flow = flow.kind.rawValue
        (message, hint) = (nil, nil)
        if case .derive(_, let to) = flow.work, flow.isPathKnown { path = to.description }
        since = flow.since.seconds
    }

    /// A flow with the front end's words for it.
    /// - Parameters:
    ///   - message: what was being done, and how far it got.
    ///   - command: how to go on, or to finish it.
    package init(_ flow: UnfinishedFlow, message: String, command: String) {
        self.flow = flow.kind.rawValue
        self.message = TerminalText.neutralized(message)
        hint = TerminalText.neutralized(command)
        since = flow.since.seconds
    }
}
