import Bitcoin
import ByteCodec
import ChainData

/// Short texts that people type or paste: addresses, keys, paths, amounts. Whatever is written parses again as the same
/// thing.
enum TextTarget: FuzzTarget {
    static let name = "text"
    static let maximumLength = 256

    static func run(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        checkAddress(text)
        checkKeys(text)
        checkNumbers(text)
        checkCodecs(text)
        if let server = try? ChainServer(parsing: text) {
            let again = required("a server's name is one") { try ChainServer(parsing: server.description) }
            expectSame(again.description, server.description, "a server is named in one way")
        }
    }

    private static func checkAddress(_ text: String) {
        guard let unchecked = try? UncheckedAddress(parsing: text) else { return }
        expect(!unchecked.networks.isEmpty, "an address is for some network")
        for network in unchecked.networks {
            let address = required("an address is good on its networks") { try unchecked.require(network) }
            expectSame(address.scriptPubKey, unchecked.scriptPubKey, "an address pays to its script")
            expect(
                address.description == text || address.description == text.lowercased(),
                "an address is written in one way, but for Bech32's case")
        }
    }

    private static func checkKeys(_ text: String) {
        if let key = try? ExtendedPublicKey(parsing: text) {
            expectSame(key.text, text, "an extended key is written as it was read")
            expectSame(try? ExtendedPublicKey(serialized: key.serialized), key, "its bytes are the same key")
        }
        if let key = try? ExtendedPrivateKey(parsing: text) {
            expectSame(key.text, text, "an extended private key is written as it was read")
            expectSame(try? ExtendedPublicKey(parsing: key.neutered.text), key.neutered, "its public key is one")
        }
        if let key = try? WalletImportFormat(parsing: text) {
            expectSame(key.text, text, "a private key is written as it was read")
        }
        for dialect in [DerivationPath.Dialect.common, .card] {
            guard let path = try? DerivationPath(parsing: text, dialect: dialect) else { continue }
            expectSame(try? DerivationPath(parsing: path.description), path, "a path that is written is the same")
        }
    }

    private static func checkNumbers(_ text: String) {
        if let amount = try? Amount(decimalBitcoin: text) {
            expectSame(try? Amount(decimalBitcoin: amount.decimalBitcoin), amount, "an amount is written and read")
            expectSame(try? Amount(parsing: text + "btc"), amount, "an amount is the same with its unit")
        }
        if let amount = try? Amount(parsing: text) {
            expectSame(
                try? Amount(parsing: "\(amount.satoshis)sat"), amount, "an amount is the same in satoshis")
        }
        if let rate = try? FeeRate(parsing: text) {
            expectSame(try? FeeRate(parsing: rate.satoshisPerVirtualByteText), rate, "a rate is written and read")
        }
        if let id = TransactionID(parsing: text) {
            expectSame(id.description, text.lowercased(), "an id is written in one way, but for case")
        }
    }

    private static func checkCodecs(_ text: String) {
        let utf8 = Array(text.utf8)
        if let bytes = try? Hex.decode(text) {
            expectSame(Hex.encode(bytes), text.lowercased(), "hexadecimal is written in one way, but for case")
        }
        if let bytes = try? Base64.decode(utf8: utf8), !bytes.isEmpty {
            let written = Base64.encodeUTF8(bytes)
            expect(
                written == utf8 || written.filter { $0 != UInt8(ascii: "=") } == utf8,
                "Base64 is written in one way, but for padding")
        }
        if let bytes = try? Base58.decode(text) {
            expectSame(Base58.encode(bytes), text, "Base58 is written in one way")
        }
        if let (part, values, variant) = try? Bech32.decode(text) {
            let written = Bech32.encode(humanReadablePart: part, values: values, variant: variant)
            expectSame(written, text.lowercased(), "Bech32 is written in one way, but for case")
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let files = [
            "bips/bech32.json", "bips/bip32.json", "bips/bip49_84_86.json", "bitcoin-core/base58.json",
            "bitcoin-core/key_io.json", "slips/slip132.json", "bip21/bip21.json",
        ]
        let texts = try files.flatMap { try vectors.texts(in: $0) }
        let servers = [
            "esplora:https://example.org/api", "electrum:[::1]:50002:s", "electrum:localhost:1",
            "core:http://u:%41p@127.0.0.1:18443/wallet/w?cookie=/a", "core:https://h?cleartext=yes",
        ]
        let paths = [
            "m/84h/0h/0h", "84'/1H/0/5", "m", "0x80p/1P", "5000sat", "0.001 btc", "21000000BTC", "2.5", "0.001",
        ]
        return (texts + servers + paths).map { Array($0.utf8) }
    }
}
