import Bitcoin
import TapManager
import TapProtocol
import TextLayout

/// A SATSCARD's slots.
package struct SlotsDocument: Encodable {
    struct Slot: Encodable {
        let slot: Int
        let state: String
        let address: String?
        let verified: Bool?
        let sealVerified: Bool?
        let wif: String?
        let descriptor: String?
        let confirmedSat: Int64?
        let unconfirmedSat: Int64?
        let utxos: [ChainCoinDocument]?
    }

    let slots: [Slot]
    let ident: String
    let totalSat: Int64?
    let server: String?
    /// Stored sweeps of these slots that were not sent.
    let unsent: [TransactionSummaryDocument]

    /// Slots, with what they hold.
    /// - Parameters:
    ///   - holdings: `nil`: no server was asked.
    ///   - showsKeys: whether the private keys of unsealed slots were asked for, and are shown.
    package init(
        _ slots: [SlotReport], _ holdings: SlotHoldings?, unsent: [TransactionListing], of card: CardAtHand,
        showingKeys showsKeys: Bool = false
    ) {
        self.slots = slots.enumerated().map { index, report in
            let holding = report.address.flatMap { _ in holdings?.slots[index] }
            return Slot(
                slot: report.slot.forPeople, state: report.state.rawValue, address: report.address?.description,
                verified: report.address.map { _ in report.isAddressProven },
                sealVerified: report.state == .sealed ? report.isSealProven : nil,
                wif: showsKeys ? report.opened?.walletImportFormat : nil,
                descriptor: showsKeys ? report.opened?.descriptor : nil,
                confirmedSat: holding?.confirmed.satoshis, unconfirmedSat: holding?.unconfirmed?.satoshis,
                utxos: holding?.coins.map(ChainCoinDocument.init))
        }
        ident = card.ident.description
        totalSat = holdings?.total.satoshis
        server = holdings.map { TerminalText.neutralized($0.server) }
        self.unsent = unsent.map(TransactionSummaryDocument.init)
    }
}
