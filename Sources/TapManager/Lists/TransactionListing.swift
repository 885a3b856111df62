import Bitcoin
import TapProtocol

/// A stored transaction in a list: its summary, and what its PSBT tells besides.
package struct TransactionListing: Sendable {
    /// Somebody who can sign what is missing.
    package struct Signer: Sendable, Hashable {
        /// The master key's, as the PSBT claims it.
        package let fingerprint: Fingerprint
        /// The card that is remembered to have that master key; `nil` when none is.
        package let card: CardRecord?
    }

    /// Whom it pays.
    package struct Payee: Sendable, Hashable {
        /// The script that is paid.
        package let script: Script
        /// Its address on the network that the transaction is for, if it has one.
        package let address: Address?
        /// What the person wrote about the address, as it was written.
        package let label: String?
    }

    /// State, fee, wallet, times and signatures.
    package let summary: TransactionSummary
    /// What goes to outputs that neither the wallet's descriptors nor the proven keys of a remembered card derive as their own;
    /// that of all outputs when every one comes back, as `FeeSummary.sent` has it. `nil` when it cannot be read.
    package let sent: Amount?
    /// Whom it pays with that, in the transaction's order, each once; empty when everything comes back.
    package let payees: [Payee]
    /// What the person wrote about the transaction, as it was written.
    package let label: String?
    /// Who can sign what is missing; none when nothing is.
    package let signers: [Signer]
}
