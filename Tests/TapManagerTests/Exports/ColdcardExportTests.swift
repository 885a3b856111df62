import Bitcoin
import TapManager
import Testing

@Suite struct ColdcardExportTests {
    private func file(_ path: String, _ network: Network) throws -> [String: Any] {
        let account = try ExportSamples.account(path, 0, network.keyNetwork)
        let master = try ExportSamples.master(0, network.keyNetwork).neutered
        return try ColdcardExport(account, masterKey: master, network: network).text.jsonObject()
    }

    @Test(arguments: [
        ("m/44h/0h/0h", Network.main, "bip44", "p2pkh", "BTC"), ("m/49h/0h/3h", .main, "bip49", "p2wpkh-p2sh", "BTC"),
        ("m/84h/1h/7h", .test, "bip84", "p2wpkh", "XTN"), ("m/84h/1h/0h", .regtest, "bip84", "p2wpkh", "XRT"),
        ("m/48h/0h/0h/1h", .main, "bip48_1", "p2sh-p2wsh", "BTC"),
        ("m/48h/1h/2h/2h", .signet, "bip48_2", "p2wsh", "XTN"),
    ]) func onlyThePathsSection(
        _ path: String, _ network: Network, _ name: String, _ type: String, _ chain: String
    ) throws {
        let file = try file(path, network)
        let cosigner = ["bip48_1": "p2sh_p2wsh", "bip48_2": "p2wsh"][name]
        var names: Set = ["chain", "xfp", "xpub", "account", name]
        if let cosigner { names.formUnion([cosigner, "\(cosigner)_deriv"]) }
        #expect(Set(file.keys) == names)
        #expect(file["chain"] as? String == chain && file["xfp"] as? String == "73C5DA0A")
        let steps = try DerivationPath(parsing: path).steps
        #expect(file["account"] as? Int == Int(steps[2].index))
        let section = try #require(file[name] as? [String: Any])
        let key = try ExportSamples.account(path, 0, network.keyNetwork).key
        #expect(section["name"] as? String == type && section["xpub"] as? String == key.text)
        #expect(section["deriv"] as? String == path.replacing("h", with: "'"))
        #expect(section["xfp"] as? String == key.fingerprint.description.uppercased())
        #expect((section["first"] != nil) == (steps.count == 3))
        if let cosigner {
            #expect(file[cosigner] as? String == section["_pub"] as? String)
            #expect(file["\(cosigner)_deriv"] as? String == section["deriv"] as? String)
        }
    }

    @Test func theFirstAddressIsThatOfTheVectors() throws {
        let section = try #require(try file("m/44h/0h/0h", .main)["bip44"] as? [String: Any])
        #expect(section["first"] as? String == "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA" && section["_pub"] == nil)
    }

    @Test(arguments: ["m", "m/84h", "m/84h/0h/0h/0h", "m/86h/0h/0h", "m/48h/0h/0h", "m/48h/0h/0h/3h"])
    func otherPathsHaveNoSection(_ path: String) throws {
        for (network, usual) in [(Network.main, "m/84h/0h/0h"), (.signet, "m/84h/1h/0h")] {
            let error = ExportError.unusualPath(
                try DerivationPath(parsing: path), usual: try DerivationPath(parsing: usual))
            #expect(throws: error) { try file(path, network) }
        }
    }
}

@Suite struct ColdcardMultisigExportTests {
    @Test func aPathForAllKeys() throws {
        let text = try ColdcardMultisigExport(try ExportSamples.multisig(.p2wsh, label: "Uns: drei, und länger als 20"))
            .text
        let keys = try (0..<3).map { number -> String in
            let account = try ExportSamples.account("m/48h/0h/0h/2h", UInt8(number))
            return "\(account.masterFingerprint.description.uppercased()): \(account.key.text)"
        }
        let head = ["Name: Uns drei, und lnger ", "Policy: 2 of 3", "Format: P2WSH", "", "Derivation: m/48'/0'/0'/2'"]
        #expect(text == (head + keys).joined(separator: "\n") + "\n")
    }

    @Test func aPathForEachKey() throws {
        let accounts = [try ExportSamples.account("m/48h/0h/0h/1h"), try ExportSamples.account("m/48h/0h/5h/1h", 1)]
        let keys = accounts.map { "\(AccountKey($0))/<0;1>/*" }.joined(separator: ",")
        let source = try ExportSamples.source(descriptors: ["sh(wsh(sortedmulti(2,\(keys))))"])
        let lines = try ColdcardMultisigExport(source).text.split(separator: "\n")
        #expect(lines[1...2] == ["Policy: 2 of 2", "Format: P2WSH-P2SH"])
        #expect(lines[3] == "Derivation: m/48'/0'/0'/1'" && lines[4].hasPrefix("73C5DA0A: xpub"))
        #expect(lines[5] == "Derivation: m/48'/0'/5'/1'" && lines.count == 7)
    }

    @Test func whatColdcardCannotReadIsRefused() throws {
        #expect(throws: ExportError.multisigOnly) {
            try ColdcardMultisigExport(try ExportSamples.source("m/84h/0h/0h"))
        }
        let (key, other) = (try ExportSamples.account("m/48h/0h/0h/2h"), try ExportSamples.account("m/48h/0h/0h/2h", 1))
        let text = "wsh(sortedmulti(1,\(AccountKey(key))/<0;1>/*,\(other.key.text)/<0;1>/*))"
        #expect(throws: ExportError.noOrigin(2)) {
            try ColdcardMultisigExport(try ExportSamples.source(descriptors: [text]))
        }
    }
}
