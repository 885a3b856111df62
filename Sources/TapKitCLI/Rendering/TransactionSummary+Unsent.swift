import TapManager

/// A stored sweep that no server took yet, for people.
extension TransactionSummary {
    /// What waits, with the command that goes on with it.
    var unsentWords: String {
        let amount = amount.map { " of \($0)" } ?? ""
        return "A sweep\(amount) is stored and not sent yet: \(sendingCommand)"
    }

    /// The command that goes on with it.
    var sendingCommand: String { "tapkit tx \(isComplete ? "broadcast" : "sign") \(id.abbreviated)" }
}
