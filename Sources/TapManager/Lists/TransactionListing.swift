import Bitcoin
import TapProtocol

/// A stored transaction in a list: its summary, and more from its PSBT.
package struct TransactionListing: Sendable {
    /// Someone who can add a missing signature.
    package struct Signer: Sendable, Hashable {
        /// The master key's, as the PSBT claims it.
        package let fingerprint: Fingerprint
        /// The card that is remembered to have that master key; `nil` when none is.
        package let card: CardRecord?
    }

    /// Someone who is paid.
    package struct Payee: Sendable, Hashable {
        /// The script that is paid.
        package let script: Script
        /// Its address on the transaction's network, if it has one.
        package let address: Address?
        /// The address's label, exactly as written.
        package let label: String?
    }

    /// State, fee, wallet, times and signatures.
    package let summary: TransactionSummary
    /// The sum of the outputs that neither the wallet's descriptors nor a remembered card's proven keys derive as their
    /// own; of all outputs if every one comes back, as in `FeeSummary.sent`. `nil` if it cannot be read.
    package let sent: Amount?
    /// The payees, in the transaction's order, each once; empty if everything comes back.
    package let payees: [Payee]
    /// The network of its amounts and addresses; `nil` if the transaction cannot be read.
    package var network: Network?
    /// The transaction's label, exactly as written.
    package let label: String?
    /// Who can add missing signatures; empty if none is missing.
    package let signers: [Signer]
    /// Whether signatures are missing that tapkit refuses to make, whoever's they are.
    package var isRefused = false
}
