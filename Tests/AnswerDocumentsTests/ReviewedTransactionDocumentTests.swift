import Bitcoin
import Foundation
import TapManager
import TestSupport
import Testing

@testable import AnswerDocuments

/// The JSON of a review: it says what shows which outputs come back.
@Suite struct ReviewedTransactionDocumentTests {
    private let keys: SampleWallet

    init() throws { keys = try SampleWallet(seed: 1) }

    private func json(_ review: TransactionReview?) throws -> [String: Any] {
        let text = JSONDocument.answer(ReviewedTransactionDocument(try #require(review)))
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// Anyone can give somebody a wallet of his own keys, whose change would pay him.
    @Test func descriptorsAreNotTheSignersKeys() throws {
        let path = try keys.accountPath(.p2wpkh)
        let descriptor = AccountDescriptor(
            kind: .p2wpkh, origin: KeyOrigin(fingerprint: keys.fingerprint, path: path),
            key: try keys.extendedKey(path))
        let wallet = try WalletDraft(
            name: WalletName(parsing: "thief"), network: .test, descriptors: [descriptor.text]
        ).wallet
        let document = try json(
            SigningPlanner(psbt: try keys.psbt(), network: .test).review(wallet: wallet).review)
        #expect(document["evidence"] as? String == "wallet" && document["evidence_wallet"] as? String == "thief")
        let outputs = try #require(document["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true])
        #expect(outputs.allSatisfy { $0["claimed_path"] == nil })
    }

    @Test func whereNothingIsKnownTheFilesClaimIsSaid() throws {
        let document = try json(SigningPlanner(psbt: try keys.psbt(), network: .test).review().review)
        #expect(document["evidence"] as? String == "nothing" && document["evidence_wallet"] == nil)
        let outputs = try #require(document["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["change"] as? Bool } == [false, false])
        #expect(outputs.map { $0["claimed_path"] as? String } == [nil, "m/84h/1h/0h/1/0"])
    }
}
