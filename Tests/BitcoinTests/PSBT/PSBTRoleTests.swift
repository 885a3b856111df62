import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// The chain of roles of BIP-174, from the Creator to the Extractor, and the same of Bitcoin Core's test suite.
@Suite struct PSBTRoleTests {
    @Test func creatorsBuildFromATransaction() throws {
        for row in [try PSBTVectors.row("creator")] + (try PSBTVectors.rows("core_creator")) {
            let inputs = try row.objects("inputs_spent").map { input in
                let id = try #require(TransactionID(parsing: try input.text("txid")))
                return TransactionInput(outpoint: Outpoint(transactionID: id, index: UInt32(try input.number("vout"))))
            }
            let outputs = try row.objects("outputs_created").map { output in
                TransactionOutput(value: Int64(try output.number("amount")), scriptPubKey: try output.outputScript())
            }
            let psbt = try PSBT(unsignedTransaction: Transaction(version: 2, inputs: inputs, outputs: outputs))
            #expect(psbt.serialized() == (try row.psbtBytes()), "\(row.testDescription)")
            #expect(psbt.fileForm == .binary)
        }
    }

    @Test func updaterAddsWhatItKnows() throws {
        let row = try PSBTVectors.row("updater")
        var psbt = try PSBTVectors.psbt("creator")
        let previous = try row.texts("previous_transactions").map { try Transaction(serialized: Hex.decode($0)) }
        let redeemScripts = try row.texts("redeem_scripts").map { Script(try Hex.decode($0)) }
        let witnessScript = Script(try Hex.decode(try #require(row.texts("witness_scripts").first)))
        for (index, input) in psbt.unsignedTransaction.inputs.enumerated() {
            let transaction = try #require(previous.first { $0.id == input.outpoint.transactionID })
            let output = transaction.outputs[Int(input.outpoint.index)]
            let redeemScript = try #require(redeemScripts.first { Script.p2sh($0) == output.scriptPubKey })
            if case .p2wsh = ScriptTemplate(redeemScript) {
                psbt[input: index].witnessUTXO = output
                psbt[input: index].witnessScript = witnessScript
            } else {
                psbt[input: index].nonWitnessUTXO = try PreviousTransaction(transaction)
            }
            psbt[input: index].redeemScript = redeemScript
        }
        let derivations = try row.derivations()
        for (key, derivation) in zip(derivations, [0, 0, 1, 1]) { psbt[input: derivation].addDerivation(key) }
        for (key, index) in zip(derivations.dropFirst(4), [0, 1]) { psbt[output: index].addDerivation(key) }
        #expect(psbt.serialized() == (try row.psbtBytes()))

        for index in psbt.inputs.indices { psbt[input: index].sighashType = .all }
        #expect(psbt.serialized() == (try PSBTVectors.row("updater-sighash").psbtBytes()))
    }

    @Test func theKeysOfTheUpdaterDeriveFromItsMasterKey() throws {
        let row = try PSBTVectors.row("updater")
        let master = try ExtendedPrivateKey(parsing: try row.text("master_xprv"))
        for derivation in try row.derivations() {
            #expect(try master.descendant(derivation.path).privateKey.publicKey.bytes == derivation.publicKey)
        }
    }

    @Test(arguments: ["signer-1", "signer-2"]) func signersAddTheirSignatures(name: String) throws {
        let row = try PSBTVectors.row(name)
        let given = try PSBTVectors.psbt(try #require(row.texts("given").first))
        let keys = try row.objects("keys").map { try WalletImportFormat(parsing: try $0.text("wif")) }
        let signed = try given.signed(with: keys) { $0.sign(digest: $1) }
        #expect(signed.serialized() == (try row.psbtBytes()))
    }

    @Test func coreSignersAddTheirSignatures() throws {
        let rows = try PSBTVectors.rows("core_signer")
        #expect(rows.count == 6)
        for row in rows {
            let keys = try row.texts("private_keys").map { try WalletImportFormat(parsing: $0) }
            let signed = try row.psbt().signed(with: keys) { $0.signGrindingLowR(digest: $1) }
            let expected = try row.psbt("result_base64")
            // Core writes every field anew; two of the given files have their sighash types at the end.
            #expect(signed.contents == expected.contents, "\(row.testDescription)")
            let isReordered = ["core-signer-0", "core-signer-1"].contains(try row.text("name"))
            #expect((signed.serialized() == expected.serialized()) == !isReordered, "\(row.testDescription)")
            #expect(expected.serialized() == (try row.psbtBytes("result_base64")))
            if try row.texts("nonce").contains("rfc6979") {
                let plain = try row.psbt().signed(with: keys) { $0.sign(digest: $1) }
                #expect(plain.contents == expected.contents, "\(row.testDescription)")
            }
        }
    }

    @Test func signersRefuseWhatDoesNotBelongTogether() throws {
        let faults: [String: PSBTInputFault] = [
            "witness-utxo-for-non-witness-input": .previousTransactionMissing,
            "redeem-script-mismatch-non-witness-utxo": .script(.redeemScriptMismatch),
            "redeem-script-mismatch-witness-utxo": .script(.redeemScriptMismatch),
            "witness-script-mismatch": .script(.witnessScriptMismatch),
        ]
        let rows = try PSBTVectors.rows("signer_fails")
        #expect(rows.count == faults.count)
        for row in rows {
            let psbt = try row.psbt()
            var found: [PSBTInputFault] = []
            for index in psbt.inputs.indices {
                do { _ = try psbt.spending(ofInput: index) } catch .input(_, let fault) { found.append(fault) }
            }
            #expect(found == [try #require(faults[try row.text("name")])], "\(row.testDescription)")
        }
    }

    @Test func combinersUniteTheRecords() throws {
        for (first, second, combined) in [
            ("signer-1", "signer-2", "combiner"), ("unknown-a", "unknown-b", "unknown-combined"),
        ] {
            let (one, other) = (try PSBTVectors.psbt(first), try PSBTVectors.psbt(second))
            let expected = try PSBTVectors.row(combined).psbtBytes()
            #expect(try one.combined(with: other).serialized() == expected)
            #expect(try other.combined(with: one).serialized() == expected)
        }
    }

    @Test func coreCombinersUniteTheRecords() throws {
        let rows = try PSBTVectors.rows("core_combiner")
        #expect(rows.count == 2)
        for row in rows {
            if row["conflicts_with_bip370"] == true {
                // Written before BIP-370, it has fields of type 0x0F in a PSBT of version 0.
                for text in try row.texts("psbts_base64") + [try row.text("result_base64")] {
                    #expect(throws: PSBTError.field(.init(.input(0), 0x0F), .notInVersion(.v0))) {
                        try PSBT(fileContent: Array(text.utf8))
                    }
                }
                continue
            }
            let psbts = try row.texts("psbts_base64").map { try PSBT(fileContent: Array($0.utf8)) }
            let combined = try psbts.dropFirst().reduce(try #require(psbts.first)) { try $0.combined(with: $1) }
            #expect(combined.serialized() == (try row.psbtBytes("result_base64")))
        }
    }

    @Test func finalizersBuildScriptSigAndWitness() async throws {
        let finalizer = try PSBTVectors.row("finalizer")
        let core = try #require(PSBTVectors.rows("core_finalizer").first)
        for (given, expected) in [
            (try PSBTVectors.psbt("combiner"), try finalizer.psbtBytes()),
            (try core.psbt(), try core.psbtBytes("result_base64")),
        ] {
            var psbt = given
            #expect(!psbt.isFinalized)
            #expect(try psbt.finalizeInputs() == [.finalized, .finalized])
            #expect(psbt.serialized() == expected)
            #expect(psbt.isFinalized)
            try await psbt.expectVerified()
            #expect(try psbt.finalizeInputs() == [.alreadyFinal, .alreadyFinal])
            #expect(psbt.serialized() == expected)
        }
    }

    @Test func finalizersWaitForSignatures() throws {
        var psbt = try PSBTVectors.psbt("signer-1")
        #expect(try psbt.finalize(input: 0) == .signaturesMissing(present: 1, needed: 2))
        #expect(try psbt.finalizeInputs().allSatisfy { $0 == .signaturesMissing(present: 1, needed: 2) })
        #expect(psbt.serialized() == (try PSBTVectors.row("signer-1").psbtBytes()))
        #expect(throws: PSBTError.input(0, .notFinal)) { try psbt.extractedTransaction() }
        #expect(throws: PSBTError.noSuchInput(2)) { try psbt.finalize(input: 2) }
        #expect(throws: PSBTError.noSuchInput(-1)) { try psbt.spending(ofInput: -1) }
    }

    @Test func extractorsBuildTheTransaction() throws {
        let extractor = try PSBTVectors.row("extractor")
        let transaction = try PSBTVectors.psbt("finalizer").extractedTransaction()
        #expect(transaction.serialized() == (try extractor.bytes("transaction")))
        #expect(transaction.id.description == (try extractor.text("txid")))

        let core = try #require(PSBTVectors.rows("core_extractor").first)
        #expect(try core.psbt().extractedTransaction().serialized() == (try core.bytes("transaction")))
        #expect(throws: PSBTError.noSuchInput(0)) { try PSBTVectors.psbt("no-inputs").extractedTransaction() }
    }
}

extension VectorRow {
    /// The keys of the Updater's row with their origins.
    fileprivate func derivations() throws -> [KeyDerivation] {
        let fingerprint = try #require(Fingerprint(try bytes("master_fingerprint")))
        return try objects("public_keys").map {
            KeyDerivation(
                publicKey: try $0.bytes("public_key"), fingerprint: fingerprint,
                path: try DerivationPath(parsing: try $0.text("path")))
        }
    }

    /// The script of an output that is given by itself or by its address.
    fileprivate func outputScript() throws -> Script {
        guard fields["address"] != nil else { return Script(try bytes("script_pubkey")) }
        return try Address(parsing: try text("address"), network: .regtest).scriptPubKey
    }
}
