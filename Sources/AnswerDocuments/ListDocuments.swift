import Bitcoin
import TapManager

/// All wallets.
package struct WalletsDocument: Encodable {
    let wallets: [WalletDocument]

    /// Wallets, in the order in which they are listed.
    package init(_ wallets: [ManagerSnapshot.Wallet]) { self.wallets = wallets.map(WalletDocument.init) }
}

/// Some of the stored transactions.
package struct TransactionsDocument: Encodable {
    let transactions: [TransactionSummaryDocument]
    /// How many there are in all.
    let count: Int

    /// Transactions, in the order in which they are listed, out of so many.
    package init(_ listings: [TransactionListing], of count: Int) {
        transactions = listings.map(TransactionSummaryDocument.init)
        self.count = count
    }
}

/// The readers and the cards on them.
package struct ReadersDocument: Encodable {
    let readers: [ReaderDocument]
    /// Why readers may be missing; absent: nothing is known to be.
    let problems: [ProblemDocument]?

    /// Readers, and why others could not be listed.
    package init(_ readers: [ReaderDocument], problems: [ProblemDocument]) {
        self.readers = readers
        self.problems = problems.isEmpty ? nil : problems
    }
}
