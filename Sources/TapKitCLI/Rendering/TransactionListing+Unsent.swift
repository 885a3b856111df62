import TapManager

/// A stored sweep that no server took yet, for people.
extension TransactionListing {
    /// What waits, with the command that sends it.
    var unsentWords: String {
        let amount = sent.map { " of \($0)" } ?? ""
        return "A sweep\(amount) is stored and not sent yet: \(sendingCommand)"
    }

    /// The command that goes on with it.
    var sendingCommand: String {
        "tapkit tx \(summary.isComplete ? "broadcast" : "sign") \(summary.id.abbreviated)"
    }
}
