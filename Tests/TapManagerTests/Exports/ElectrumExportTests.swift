import Bitcoin
import TapManager
import Testing

@Suite struct ElectrumExportTests {
    @Test(arguments: [
        ("m/44h/0h/0h", Network.main, "xpub"), ("m/49h/0h/0h", .main, "ypub"), ("m/84h/0h/0h", .main, "zpub"),
        ("m/44h/1h/0h", .test, "tpub"), ("m/49h/1h/0h", .signet, "upub"), ("m/84h/1h/7h", .regtest, "vpub"),
    ]) func oneKey(_ path: String, _ network: Network, _ prefix: String) throws {
        let file = try ElectrumExport(try ExportSamples.source(path, network: network)).text.jsonObject()
        #expect(file["wallet_type"] as? String == "standard" && file["seed_version"] as? Int == 50)
        let keystore = try #require(file["keystore"] as? [String: Any])
        #expect(keystore["type"] as? String == "bip32" && keystore["xprv"] is Void == false)
        #expect((keystore["xpub"] as? String)?.hasPrefix(prefix) == true)
        #expect(keystore["derivation"] as? String == path.replacing("h", with: "'"))
        #expect(keystore["root_fingerprint"] as? String == "73c5da0a")
    }

    @Test(arguments: [
        (MultisigKind.p2sh, Network.main, "xpub"), (.p2shP2WSH, .main, "Ypub"), (.p2wsh, .main, "Zpub"),
        (.p2shP2WSH, .test, "Upub"), (.p2wsh, .regtest, "Vpub"),
    ]) func severalKeys(_ kind: MultisigKind, _ network: Network, _ prefix: String) throws {
        let file = try ElectrumExport(try ExportSamples.multisig(kind, network: network)).text.jsonObject()
        #expect(file["wallet_type"] as? String == "2of3" && file["keystore"] == nil)
        for name in ["x1/", "x2/", "x3/"] {
            let keystore = try #require(file[name] as? [String: Any])
            #expect((keystore["xpub"] as? String)?.hasPrefix(prefix) == true)
        }
    }

    @Test func aKeyWithoutOriginIsTakenAsItIs() throws {
        let key = try ExportSamples.account("m/84h/0h/0h").key.text
        let source = try ExportSamples.source(descriptors: ["wpkh(\(key)/0/*)", "wpkh(\(key)/1/*)"])
        let keystore = try #require(try ElectrumExport(source).text.jsonObject()["keystore"] as? [String: Any])
        #expect(keystore["derivation"] as? String == nil && keystore["root_fingerprint"] as? String == nil)
        #expect((keystore["xpub"] as? String)?.hasPrefix("zpub") == true)
    }

    @Test func whatElectrumCannotOpenIsRefused() throws {
        #expect(throws: ExportError.severalAccounts(3)) { try ElectrumExport(try ExportSamples.source("m/1h")) }
        #expect(throws: ExportError.unsortedKeys(1)) {
            try ElectrumExport(try ExportSamples.multisig(.p2wsh, sorted: false))
        }
        #expect(throws: ExportError.tooManyKeys(limit: 15)) {
            try ElectrumExport(try ExportSamples.multisig(.p2wsh, keyCount: 16))
        }
        let key = try ExportSamples.account("m/86h/0h/0h").key.text
        for (texts, error) in [
            (["tr(\(key)/<0;1>/*)"], ExportError.unusualDescriptor(1)),
            (["wpkh(\(key)/<0;2>/*)"], .unusualDescriptor(1)),
            (["wpkh(\(key)/0/<0;1>/*)"], .unusualDescriptor(1)), (["wpkh(\(key)/*)"], .unusualDescriptor(1)),
            (["wpkh(\(key)/0/*)"], .oneBranch), (["pkh(\(key)/0/*)", "wpkh(\(key)/0/*)"], .oneBranch),
        ] {
            #expect(throws: error) { try ElectrumExport(try ExportSamples.source(descriptors: texts)) }
        }
    }
}
