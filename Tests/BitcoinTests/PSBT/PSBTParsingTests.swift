import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTParsingTests {
    @Test func everyRowIsHere() throws {
        #expect(
            try PSBTVectors.rows.get().countsByKind == [
                "invalid": 35, "valid": 18, "signer_fails": 4, "role": 11, "invalid_base64": 1, "core_creator": 1,
                "core_signer": 6, "core_combiner": 2, "core_finalizer": 1, "core_extractor": 1,
            ])
        #expect(try PSBTVectors.taprootRows.get().countsByKind == ["invalid": 11, "valid": 6])
    }

    @Test func invalidRowsAreRefusedForTheirFault() throws {
        let rows = try PSBTVectors.rows("invalid")
        let faults = try Self.faults()
        #expect(Set(rows.compactMap { $0["name", as: String.self] }) == Set(faults.keys))
        for row in rows {
            let fault = try #require(faults[try row.text("name")])
            #expect(throws: fault, "\(row.testDescription)") { try row.psbt() }
            #expect(throws: fault, "\(row.testDescription)") { try PSBT(serialized: try row.psbtBytes()) }
        }
    }

    @Test func validRowsComeBackByteForByte() throws {
        let rows = try PSBTVectors.rows("valid", "signer_fails", "role").filter { $0.fields["psbt_base64"] != nil }
        #expect(rows.count == 18 + 4 + 10)
        for row in rows {
            let psbt = try row.psbt()
            let bytes = try row.psbtBytes()
            #expect(psbt.serialized() == bytes, "\(row.testDescription)")
            #expect(bytes == (try row.bytes("psbt")), "\(row.testDescription)")
            #expect(psbt.version == .v0)
            #expect(psbt.unsignedTransaction.serialized(.withoutWitnesses) == (try row.bytes("unsigned_tx")))
            #expect(psbt.unsignedTransaction.id.description == (try row.text("unsigned_txid")))
            #expect(psbt.global.records.map { Int($0.type) } == row["global_key_types"])
            #expect(psbt.inputs.map { $0.map.records.map { Int($0.type) } } == (try row.keyTypes("input_key_types")))
            #expect(psbt.outputs.map { $0.map.records.map { Int($0.type) } } == (try row.keyTypes("output_key_types")))
        }
    }

    @Test func taprootRowsAreRefusedOrComeBackByteForByte() throws {
        for row in try PSBTVectors.taprootRows.get() {
            if row.kind == "valid" {
                #expect(try row.psbt().serialized() == (try row.psbtBytes()), "\(row.testDescription)")
            } else {
                let error = #expect(throws: PSBTError.self, "\(row.testDescription)") { try row.psbt() }
                guard case .field = error else {
                    Issue.record("\(row.testDescription): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    private static func faults() throws -> [String: PSBTError] {
        let otherID = try #require(
            TransactionID(parsing: "f61b1742ca13176464adb3cb66050c00787bb3a4eead37e985f2df1e37718126"))
        return [
            "network-transaction": .wrongMagic,
            "outputs-missing": .malformed(.output(0), .truncated(offset: 553, needed: 1)),
            "unsigned-tx-has-script-sig": .field(.init(.global, 0x00), .alreadySigned),
            "unsigned-tx-missing": .field(.init(.global, 0x00), .missing),
            "duplicate-input-key": .field(.init(.input(0), 0x00), .duplicate),
            "bad-key-global-unsigned-tx": .field(.init(.global, 0x00), .keyDataLength(1)),
            "bad-key-witness-utxo": .field(.init(.input(0), 0x01), .keyDataLength(1)),
            "bad-pubkey-length-partial-sig": .field(.init(.input(0), 0x02), .keyDataLength(32)),
            "bad-key-redeem-script": .field(.init(.input(0), 0x04), .keyDataLength(1)),
            "bad-key-witness-script": .field(.init(.input(0), 0x05), .keyDataLength(1)),
            "bad-pubkey-input-bip32": .field(.init(.input(0), 0x06), .keyDataLength(32)),
            "bad-key-non-witness-utxo": .field(.init(.input(0), 0x00), .keyDataLength(1)),
            "bad-key-final-script-sig": .field(.init(.input(0), 0x07), .keyDataLength(1)),
            "bad-key-final-script-witness": .field(.init(.input(1), 0x08), .keyDataLength(1)),
            "bad-pubkey-output-bip32": .field(.init(.output(0), 0x02), .keyDataLength(32)),
            "bad-key-sighash-type": .field(.init(.input(0), 0x03), .keyDataLength(1)),
            "bad-key-output-redeem-script": .field(.init(.output(0), 0x00), .keyDataLength(1)),
            "bad-key-output-witness-script": .field(.init(.output(1), 0x01), .keyDataLength(32)),
            "unsigned-tx-witness-serialized": .field(
                .init(.global, 0x00), .transaction(.bytes(.truncated(offset: 15, needed: 133)))),
            "value-size-not-stated-size": .field(
                .init(.global, 0x00), .transaction(.bytes(.trailingBytes(count: 22)))),
            "core-output-witness-script-key-bad": .malformed(.output(1), .truncated(offset: 257, needed: 43)),
            "core-version-1": .unsupportedVersion(1),
            "core-duplicate-output-witness-script": .field(.init(.output(0), 0x01), .duplicate),
            "core-duplicate-output-redeem-script": .field(.init(.output(0), 0x00), .duplicate),
            "core-duplicate-witness-utxo": .field(.init(.input(0), 0x01), .duplicate),
            "core-duplicate-sighash-type": .field(.init(.input(0), 0x03), .duplicate),
            "core-duplicate-redeem-script": .field(.init(.input(0), 0x04), .duplicate),
            "core-duplicate-witness-script": .field(.init(.input(0), 0x05), .duplicate),
            "core-duplicate-final-script-sig": .field(.init(.input(0), 0x07), .duplicate),
            "core-duplicate-final-script-witness": .field(.init(.input(0), 0x08), .duplicate),
            "core-tap-script-sig-bad-length": .malformed(.input(0), .truncated(offset: 275, needed: 168)),
            "core-non-witness-utxo-txid-mismatch": .field(
                .init(.input(0), 0x00), .otherTransaction(otherID)),
            "core-non-witness-utxo-has-no-such-output": .field(.init(.input(0), 0x00), .noSuchOutput(0x0200_0000)),
            "core-tap-bip32-bad-length": .field(.init(.input(0), 0x16), .valueLength(0)),
            "core-output-tap-tree-empty": .field(.init(.output(0), 0x06), .incompleteTapTree),
        ]
    }
}
