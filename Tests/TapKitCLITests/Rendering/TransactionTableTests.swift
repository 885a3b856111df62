import Bitcoin
import TapProtocol
import Testing
import TextLayout

@testable import AnswerDocuments
@testable import TapKitCLI
@testable import TapManager

/// The list of stored transactions on terminals of every width.
@Suite struct TransactionTableTests {
    private static let now = UnixTime(seconds: 1_795_309_323)

    private func listing(
        _ byte: UInt8, standing: ChainStanding? = nil, label: String? = nil, isComplete: Bool = false,
        signers: [TransactionListing.Signer] = []
    ) throws -> TransactionListing {
        let id: TransactionID = try #require(TransactionID([UInt8](repeating: byte, count: 32)))
        let address = try SlotSamples.address()
        return TransactionListing(
            summary: TransactionSummary(
                id: id, network: .main, wallet: "savings", note: "", amount: Amount(satoshis: 150_000),
                fee: Amount(satoshis: 282), signedBy: [], missing: isComplete ? 0 : 1, isComplete: isComplete,
                created: UnixTime(seconds: Self.now.seconds - 3 * 86_400), updated: Self.now, standing: standing),
            sent: Amount(satoshis: 123_456),
            payees: [.init(script: address.scriptPubKey, address: address, label: nil)],
            label: label, signers: signers)
    }

    private func listings() throws -> [TransactionListing] {
        let fingerprint: Fingerprint = try #require(Fingerprint([0xD3, 0x4D, 0xB3, 0x3F]))
        let card = CardRecord(
            publicKey: try SlotSamples.key(), product: .tapsigner, isTestnet: false, fingerprint: fingerprint,
            lastSeen: Self.now, name: "Blue card")
        let rival: TransactionID = try #require(TransactionID([UInt8](repeating: 9, count: 32)))
        return [
            try listing(1, standing: ChainStanding(height: 100, tip: 111), label: "rent"),
            try listing(2, standing: ChainStanding(height: 100, tip: 111, replacedBy: rival)),
            try listing(3, signers: [.init(fingerprint: fingerprint, card: card)]),
            try listing(4, signers: [.init(fingerprint: fingerprint, card: nil)]), try listing(5, isComplete: true),
        ]
    }

    @Test(arguments: [50, 80, 160]) func everythingFits(_ width: Int) throws {
        let lines = TransactionTable.table(try listings(), now: Self.now).lines(width: width)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width }, "\(lines.joined(separator: "\n"))")
        #expect(lines.count == (width < 80 ? 10 : 6), "\(lines.joined(separator: "\n"))")
        let text = lines.joined(separator: "\n")
        for part in [
            "confirmed 12", "replaced", "unsigned", "0.00123456 BTC", "rent", "d34db33f", "send it", "3 days",
        ] {
            #expect(text.contains(part), "\(part)\n\(text)")
        }
        #expect(text.contains("010101") && text.contains("“Blue ca"))
        // No amount is shown that no title explains.
        #expect(text.contains("282 sat") == lines[0].contains("FEE"), "\(text)")
    }

    /// A payment link's label, which the payee wrote, can become the note.
    @Test func noLabelStandsForAnAddress() throws {
        let address = SlotSamples.text
        for label in [
            address, "pay \(address)", "\(address.uppercased()) ", "\(address).", "(\(address))",
            "bitcoin:\(address)?x=1",
            "‘\(address)’", " ", "",
        ] {
            #expect(LabelText.quoted(label) == nil, "\(label)")
        }
        #expect(LabelText.quoted("rent” back to this wallet (“proven”)") == "“rent' back to this wallet ('proven')”")
        #expect(LabelText.quoted("a”\u{FE0E} b″ c\u{201D}\u{0301}") == "“a'\u{FE0E} b' c'\u{0301}”")
        let text = TransactionTable.table([try listing(1, label: "bc1qrent")], now: Self.now).lines(width: nil).joined()
        #expect(text.contains("“bc1qrent”"))
    }

    /// Nobody is named as the next signer of what tapkit refuses to sign.
    @Test func whatIsRefusedHasNoNextSigner() throws {
        let fingerprint: Fingerprint = try #require(Fingerprint([0xD3, 0x4D, 0xB3, 0x3F]))
        var refused = try listing(3, signers: [.init(fingerprint: fingerprint, card: nil)])
        refused.isRefused = true
        let text = TransactionTable.table([refused], now: Self.now).lines(width: nil).joined()
        #expect(text.contains("REFUSED") && !text.contains("d34db33f"))
        #expect(TransactionSummaryDocument(refused).refused == true)
        #expect(TransactionSummaryDocument(try listing(4)).refused == nil)
    }

    /// A script without an address is a payee, too.
    @Test func onlyWhatReturnsIsOnlyChange() throws {
        func document(_ payees: [TransactionListing.Payee], sent: Int64?) throws -> TransactionSummaryDocument {
            TransactionSummaryDocument(
                TransactionListing(
                    summary: try listing(1).summary, sent: sent.flatMap(Amount.init(satoshis:)), payees: payees,
                    label: nil,
                    signers: []))
        }
        let unnamed = TransactionListing.Payee(script: Script([0x51, 0x51]), address: nil, label: nil)
        #expect(try document([unnamed], sent: 5).onlyChange == nil)
        #expect(try document([unnamed], sent: 5).payees.isEmpty)
        #expect(try document([], sent: 5).onlyChange == true)
        #expect(try document([], sent: nil).onlyChange == nil)
    }

    @Test func withoutATerminalAllIsWhole() throws {
        let lines = TransactionTable.table(try listings(), now: Self.now).lines(width: nil)
        #expect(lines.count == 6 && lines[1].contains(String(repeating: "01", count: 32)))
        #expect(lines[2].contains(SlotSamples.text) && lines[3].contains("“Blue card”") && lines[1].contains("282 sat"))
    }
}
