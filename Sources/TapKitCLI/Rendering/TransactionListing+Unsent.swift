import FrontEndText
import TapManager

/// A stored sweep that has not been sent yet, for the user.
extension TransactionListing {
    /// What is waiting, with the command that sends it.
    var unsentWords: String {
        let amount = sent.map { " of \($0.text(on: network ?? .main))" } ?? ""
        return "A sweep\(amount) is stored but has not been sent yet: \(sendingCommand)"
    }

    /// The command that continues it.
    var sendingCommand: String {
        "tapkit tx \(summary.isComplete ? "broadcast" : "sign") \(summary.id.abbreviated)"
    }
}
