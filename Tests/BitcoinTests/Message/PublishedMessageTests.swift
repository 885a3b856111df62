import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Signed messages of other wallets' test suites.
@Suite struct PublishedMessageTests {
    @Test func electrum() throws {
        let file = LedgeredFile.electrumMessages
        var ledger = try VectorLedger(file)
        for row in try Vectors.load(file.path, kinds: ["verify"]) {
            let verdict = try MessageVectors.verdict(row, signature: row.text("signature"))
            ledger.enter("\(row.index)", verdict.isValid, expected: try row.flag("valid"))
        }
        for row in try Vectors.load(file.path, kinds: ["sign"]) {
            let key = try WalletImportFormat(parsing: row.text("wif"))
            let digest = BIP137Signature.digest(of: Array(try row.text("message").utf8))
            let signature = try BIP137Signature(
                key.privateKey.signGrindingLowR(digest: digest), digest: digest, publicKey: key.privateKey.publicKey,
                addressType: key.isCompressed ? .p2pkh : .uncompressedP2PKH)
            ledger.enter("\(row.index)", signature.encoded.description, expected: try row.text("signature"))
        }
        ledger.close(count: 18)
    }

    @Test func bip322JS() throws {
        let file = LedgeredFile.bip322JSMessages
        var ledger = try VectorLedger(file)
        let rows = try Vectors.load(file.path)
        for row in rows {
            let address = try? UncheckedAddress(parsing: row.text("address"))
            let verdict = try address.map {
                SignedMessage.verify(
                    message: try row.bytes("message_hex"), address: $0, signature: try row.text("signature"))
            }
            ledger.enter("\(row.index)", verdict?.isValid ?? false, expected: try row.flag("valid"))
        }
        ledger.close(count: 205)
        let modes = rows.reduce(into: [:]) { $0[$1["mode"] ?? "", default: 0] += 1 }
        #expect(modes == ["any": 57, "loose": 100, "strict": 48])
    }
}
