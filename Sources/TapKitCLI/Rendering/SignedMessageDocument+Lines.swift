import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager

extension SignedMessageDocument {
    /// For the user.
    var lines: [String] {
        let form = format.flatMap(MessageSignatureFormat.init)?.description ?? "unknown format"
        var lines = ["Valid: \(address) signed this message (\(form))."]
        if let height = validFromHeight { lines.append("  Valid only from block \(height) on.") }
        if let time = validFromTime { lines.append("  Valid only from \(UnixTime(seconds: Int64(time)).iso8601) on.") }
        if let blocks = validAfterBlocks {
            lines.append("  Valid only with an output at least \(blocks.counted("block")) old.")
        }
        if let seconds = validAfterSeconds { lines.append("  Valid only with an output at least \(seconds) s old.") }
        if hasP2PKHHeader == true { lines.append("  Its header is that of a P2PKH address with the same key.") }
        for output in outputs ?? [] {
            lines.append(
                "  Claims \(output.outpoint), \(output.amountSat) sat; only the chain can tell whether it is unspent.")
        }
        return lines
    }
}
