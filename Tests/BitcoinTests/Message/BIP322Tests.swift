import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct BIP322Tests {
    @Test func transactionsAreThoseOfTheVectors() throws {
        for row in try MessageVectors.rows("bip322_tx_hashes") {
            let message = Array(try row.text("message").utf8)
            let script = try UncheckedAddress(parsing: row.text("address")).scriptPubKey
            #expect(script.bytes == (try row.bytes("script_pubkey")))
            #expect(BIP322.messageHash(message) == (try row.bytes("message_hash")))
            let toSpend = BIP322.toSpend(message: message, scriptPubKey: script)
            #expect(toSpend.serialized() == (try row.bytes("to_spend")))
            #expect(toSpend.id.description == (try row.text("to_spend_txid")))
            let toSign = BIP322.toSign(spending: toSpend)
            #expect(toSign.serialized() == (try row.bytes("to_sign")))
            #expect(toSign.id.description == (try row.text("to_sign_txid")))
        }
    }

    @Test func simpleSignaturesVerify() throws {
        var count = 0
        for row in try MessageVectors.rows("bip322_simple") {
            try expectHashes(row)
            for signature in try row.texts("signatures") {
                count += 1
                let verdict = try MessageVerdict(row, signature)
                #expect(verdict == MessageVerdict(format: .bip322Simple, outcome: verdict.outcome))
                let proof = try #require(verdict.proof, "\(row.testDescription) \(verdict)")
                #expect(proof.locks == .none)
                #expect(proof.publicKey == nil)
            }
        }
        #expect(count == 10)
    }

    @Test func fullSignaturesVerify() throws {
        var count = 0
        for row in try MessageVectors.rows("bip322_full") {
            try expectHashes(row)
            for signature in try row.texts("signatures") {
                count += 1
                let verdict = try MessageVerdict(row, signature)
                #expect(verdict.format == .bip322Full)
                let proof = try #require(verdict.proof, "\(row.testDescription) \(verdict)")
                try expectLocks(row, proof.locks)
                #expect(proof.locks.time == .blocks(2016))
                #expect(proof.locks.age == .blocks(2016))
                #expect(proof.funds.isEmpty)
                // Signers before version 2.0.0 wrote no prefix.
                #expect(try MessageVerdict(row, String(signature.dropFirst(3))) == verdict)
            }
        }
        #expect(count == 10)
    }

    @Test func proofsOfFundsVerify() throws {
        var count = 0
        for row in try MessageVectors.rows("bip322_proof_of_funds") {
            try expectHashes(row)
            for signature in try row.texts("signatures") {
                count += 1
                let verdict = try MessageVerdict(row, signature)
                #expect(verdict.format == .bip322ProofOfFunds)
                #expect(try MessageVerdict(row, String(signature.dropFirst(3))) == verdict)
                let proof = try #require(verdict.proof, "\(row.testDescription) \(verdict)")
                try expectLocks(row, proof.locks)
                let expected = try #require(row["additional_inputs", as: [[[String: Any]]].self]).flatMap(\.self)
                let funds = try expected.map { fields in
                    let fund = VectorRow(fields: fields, index: row.index)
                    return TransactionOutput(
                        value: Int64(try fund.number("value")), scriptPubKey: Script(try fund.bytes("pk_script")))
                }
                #expect(proof.funds.map(\.output) == funds)
                #expect(Set(proof.funds.map(\.outpoint)).count == funds.count)
            }
        }
        #expect(count == 3)
    }

    @Test func refusalsAreThoseOfTheVectors() throws {
        for row in try MessageVectors.rows("bip322_error") {
            let verdict = try MessageVerdict(row, try row.text("signature"))
            guard case .invalid = verdict.outcome else {
                Issue.record("\(row.testDescription) \(try row.text("reason")): \(verdict)")
                continue
            }
        }
    }

    @Test func simpleSignaturesAreMade() throws {
        var count = 0
        for row in try MessageVectors.rows("bip322_simple") where try row.text("address_type") == "p2wpkh" {
            let wif = try #require(try row.texts("private_keys").first)
            let key = try WalletImportFormat(parsing: wif).privateKey
            let message = Array(try row.text("message").utf8)
            let script = Script(try row.bytes("script_pubkey"))
            let signing = try BIP322.SimpleSigning(message: message, scriptPubKey: script, publicKey: key.publicKey)
            let signature = try signing.encoded(key.sign(digest: signing.digest)).description
            #expect(try row.texts("signatures").contains(signature), "\(row.testDescription)")
            let bare = try signing.encoded(key.sign(digest: signing.digest), hasPrefix: false).description
            #expect("smp" + bare == signature)
            #expect(try MessageVerdict(row, bare).isValid)
            count += 1

            let other = try BIP137Tests.key(9)
            #expect(throws: BIP322.SimpleSigning.Failure.notP2WPKHOfKey) {
                _ = try BIP322.SimpleSigning(message: message, scriptPubKey: script, publicKey: other.publicKey)
            }
            #expect(throws: BIP322.SimpleSigning.Failure.invalidSignature) {
                _ = try signing.encoded(other.sign(digest: signing.digest))
            }
        }
        #expect(count == 3)
    }

    private func expectHashes(_ row: VectorRow) throws {
        let message = Array(try row.text("message").utf8)
        #expect(BIP322.messageHash(message) == (try row.bytes("message_hash")))
        let script = try UncheckedAddress(parsing: row.text("address")).scriptPubKey
        #expect(script.bytes == (try row.bytes("script_pubkey")))
        #expect(
            BIP322.toSpend(message: message, scriptPubKey: script).id.description == (try row.text("to_spend_txid")))
    }

    private func expectLocks(_ row: VectorRow, _ locks: MessageLocks) throws {
        #expect(Int(locks.version) == (try row.number("tx_version")))
        #expect(Int(locks.lockTime) == (try row.number("lock_time")))
        #expect(Int(locks.sequence) == (try row.number("sequence")))
    }
}
