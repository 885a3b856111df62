import Glibc
import TapProtocol
import Terminal

/// `--trace`: every APDU and every step on standard error, secrets masked by the layer below.
enum Trace {
    /// Writes one event as a line.
    @Sendable static func write(_ event: TraceEvent) {
        Console.write("  | \(words(event))\n", to: STDERR_FILENO)
    }

    private static func words(_ event: TraceEvent) -> String {
        switch event {
        case .sent(let command, let apdu): "> \(command) \(apdu)"
        case .received(let command, let answer): "< \(command) \(answer)"
        case .repeated(let command, let refusal):
            "the card answered \(command) with error \(refusal.number); sent again"
        case .selectedAgain: "the card lost power and was selected again"
        case .form(let command, let detail): "accepted an unusual form in \(command): \(detail)"
        case .deriveSigned(let signer): "derive was signed by the \(signer.rawValue) key"
        }
    }
}
