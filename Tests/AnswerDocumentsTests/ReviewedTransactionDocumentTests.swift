import Bitcoin
import TapManager
import TestSupport
import Testing

@testable import AnswerDocuments

/// The JSON of a review: it says what shows which outputs come back.
@Suite struct ReviewedTransactionDocumentTests {
    private let keys: SampleWallet

    init() throws { keys = try SampleWallet(seed: 1) }

    private func json(_ review: TransactionReview?) throws -> [String: Any] {
        try ReviewedTransactionDocument(try #require(review)).fields()
    }

    /// A wallet of the sample's keys, which anyone can give somebody.
    private func wallet() throws -> WatchWallet {
        let path = try keys.accountPath(.p2wpkh)
        let descriptor = AccountDescriptor(
            kind: .p2wpkh, origin: KeyOrigin(fingerprint: keys.fingerprint, path: path),
            key: try keys.extendedKey(path))
        return try WalletDraft(
            name: WalletName(parsing: "thief"), network: .test, descriptors: [descriptor.text]
        ).wallet
    }

    /// Anyone can give somebody a wallet of his own keys, whose change would pay him.
    @Test func descriptorsAreNotTheSignersKeys() throws {
        let wallet = try wallet()
        let document = try json(
            SigningPlanner(psbt: try keys.psbt(), network: .test).review(wallet: wallet).review)
        #expect(document["evidence"] as? String == "wallet" && document["evidence_wallet"] as? String == "thief")
        let outputs = try #require(document["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true])
        #expect(outputs.allSatisfy { $0["claimed_path"] == nil })
    }

    /// The path of change is the one at which the descriptors derive it, whatever else the PSBT claims of somebody's keys.
    @Test func aPathIsNotWhatTheFileClaimsBesides() throws {
        let honest = try keys.psbt()
        let path = try DerivationPath(parsing: "m/84h/1h/0h/1/900")
        for stranger in try [SampleWallet(seed: 2).derivation(path), keys.derivation(path)] {
            var psbt = try PSBT(unsignedTransaction: honest.unsignedTransaction)
            psbt[input: 0] = honest.inputs[0]
            psbt[output: 1].addDerivation(stranger)
            psbt[output: 1].addDerivation(try #require(honest.outputs[1].derivations.first))
            let document = try json(SigningPlanner(psbt: psbt, network: .test).review(wallet: try wallet()).review)
            let outputs = try #require(document["outputs"] as? [[String: Any]])
            #expect(outputs[1]["path"] as? String == "m/84h/1h/0h/1/0")
        }
    }

    /// A policy of many paths has one for each combination of locks, and is not called partial.
    @Test func manyPathsAreOneChoice() throws {
        let others = try (2...15).map { try SampleWallet(seed: UInt8($0)) }
        // Seven choices between two: 128 paths.
        let choices = stride(from: 0, to: 14, by: 2).map { number in
            let sides = [number, number + 1].map { side in
                "and_v(v:pk(#\(String(UnicodeScalar(UInt8(65 + side))))),older(\(side + 1)))"
            }
            return "or_i(\(sides.joined(separator: ",")))"
        }
        let large = choices.dropLast().reduce(choices[6]) { "and_v(v:\($1),\($0))" }
        let psbt = try SamplePolicy(large, others).psbt(inputs: 2, sequence: 13)
        let document = try json(SigningPlanner(psbt: psbt, network: .test).review().review)
        let policies = try #require(document["policies"] as? [[String: Any]])
        #expect(policies.count == 1 && policies[0]["complete"] == nil && document["policies_omitted"] == nil)
        let paths = try #require(policies[0]["paths"] as? [[String: Any]])
        #expect(paths.map { $0["older_blocks"] as? Int } == [13, 14])
        #expect(paths.map { $0["open"] as? Bool } == [true, false] && paths[0]["taken"] as? Bool == true)
        let choice = try #require(paths[0]["choice"] as? String)
        // The second side of the last choice is not open yet.
        #expect(choice.hasPrefix("thresh(7,thresh(1,pk(") && choice.hasSuffix(",pk(\(others[12].fingerprint)))"))
        #expect(choice.contains("thresh(1,pk(\(others[0].fingerprint)),pk(\(others[1].fingerprint)))"))
        let signers = try #require(paths[0]["signers"] as? [[String: Any]])
        #expect(signers.map { $0["threshold"] as? Int } == [7] && (signers[0]["keys"] as? [String])?.count == 13)
    }

    /// Whose policies are not listed, because others name more keys than anybody reads, are counted.
    @Test func whatIsNotListedIsCounted() throws {
        let strangers = try (2...16).map { try SampleWallet(seed: UInt8($0)) }
        let letters = "ABCDEFGHIJKLMNO"
        func large(_ number: Int) throws -> PSBT {
            let paths = letters.lowercased().enumerated().map { "and_v(v:pk(#\($1)),older(\(100 * number + $0)))" }
            let choice = paths.dropFirst().reduce(paths[0]) { "or_i(\($1),\($0))" }
            let everybody = letters.map { "#\($0)" }.joined(separator: ",")
            var policy = SamplePolicy("and_v(v:multi(1,\(everybody)),\(choice))", strangers)
            policy.account = "m/48h/1h/\(number)h/2h"
            return try policy.psbt()
        }
        var psbt = try large(1)
        for number in 2...45 { psbt = try psbt.joined(try large(number)) }
        let document = try json(SigningPlanner(psbt: psbt, network: .test).review().review)
        let listed = try #require(document["policies"] as? [[String: Any]]).count
        // Each names 240 keys.
        #expect(listed == 41 && document["policies_omitted"] as? Int == 4)
        let none = try json(SigningPlanner(psbt: keys.psbt(), network: .test).review().review)
        #expect(none["policies"] == nil && none["policies_omitted"] == nil)
    }

    /// Of taproot, a PSBT shows what it wants.
    @Test func aTaprootPolicyMayHaveOtherPaths() throws {
        let path = try DerivationPath(parsing: "m/86h/1h/0h")
        let key = "\(KeyOrigin(fingerprint: keys.fingerprint, path: path))\(try keys.extendedKey(path).text)"
        let descriptor = try Descriptor(
            parsing: "tr(\(key)/<0;1>/*,and_v(v:pk(\(key)/<2;3>/*),older(144)))")
        let spending = try descriptor.spending(branch: 0, index: 0)
        let taproot = try #require(spending.taproot)
        let funding = try SampleWallet.funding(spending.scriptPubKey, amount: 100_000, salt: 1)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 1), sequence: 0)],
                outputs: [TransactionOutput(value: 99_000, scriptPubKey: spending.scriptPubKey)]))
        psbt[input: 0].witnessUTXO = funding.outputs[1]
        psbt[input: 0].taprootInternalKey = taproot.internalKey
        psbt[input: 0].taprootMerkleRoot = taproot.merkleRoot
        for leaf in taproot.leaves { psbt[input: 0].addTaprootLeafScript(leaf) }
        let document = try json(SigningPlanner(psbt: psbt, network: .test).review().review)
        let policies = try #require(document["policies"] as? [[String: Any]])
        #expect(policies.map { $0["complete"] as? Bool } == [false])
        #expect(policies.map { ($0["paths"] as? [Any])?.count } == [2])
    }

    @Test func whereNothingIsKnownTheFilesClaimIsSaid() throws {
        let document = try json(SigningPlanner(psbt: try keys.psbt(), network: .test).review().review)
        #expect(document["evidence"] as? String == "nothing" && document["evidence_wallet"] == nil)
        let outputs = try #require(document["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["change"] as? Bool } == [false, false])
        #expect(outputs.map { $0["claimed_path"] as? String } == [nil, "m/84h/1h/0h/1/0"])
    }
}
