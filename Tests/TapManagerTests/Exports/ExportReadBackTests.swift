import Bitcoin
import TapManager
import TestSupport
import Testing

/// Every export, read back by other libraries (`embit`, `bdkpython`, `hwi`), has the same first ten addresses.
@Suite(.serialized, .fewAtATime) struct ExportReadBackTests {
    private static let count = 10
    private static let networks: [Network] = [.main, .test, .regtest]

    /// Expects the addresses of a wallet from every library that reads its exports.
    private func expect(
        _ exports: [String: String], of wallet: WatchWallet, at location: SourceLocation = #_sourceLocation
    ) async throws {
        var addresses: [Bool: [String]] = [:]
        for branch in wallet.branches {
            addresses[branch.isChange] = try (0..<UInt32(Self.count)).map {
                try wallet.address(at: branch.place($0)).description
            }
        }
        let answer = try await PythonEnvironment.shared().run(
            "read_exports.py", ["network": wallet.network.rawValue, "count": Self.count, "exports": exports])
        #expect(Set(answer.keys) == Set(exports.keys), sourceLocation: location)
        for (format, libraries) in answer {
            let libraries = try #require(libraries as? [String: [String: [String]]])
            let isMultipath = ["descriptors", "sparrow"].contains(format)
            #expect(Set(libraries.keys).isSuperset(of: ["embit", "bdkpython"] + (isMultipath ? [] : ["hwilib"])))
            for (library, branches) in libraries {
                #expect(branches["receive"] == addresses[false], "\(format) by \(library)", sourceLocation: location)
                #expect(branches["change"] == addresses[true], "\(format) by \(library)", sourceLocation: location)
            }
        }
    }

    /// The formats that every wallet has.
    private func common(_ source: ExportSource) throws -> [String: String] {
        func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
        return [
            "descriptors": lines(DescriptorExport.lines(of: source, isSplit: false)),
            "split": lines(DescriptorExport.lines(of: source, isSplit: true)),
            "core": CoreExport(source, start: .now).text, "sparrow": try SparrowExport(source).text,
            "specter": try SpecterExport(source).text, "electrum": try ElectrumExport(source).text,
        ]
    }

    @Test(arguments: ScriptKind.allCases, networks) func oneKey(_ kind: ScriptKind, _ network: Network) async throws {
        let path = "m/\(kind.purpose)/\(network == .main ? 0 : 1)h/4h"
        let source = try ExportSamples.source(path, network: network)
        let account = try ExportSamples.account(path, 0, network.keyNetwork)
        let master = try ExportSamples.master(0, network.keyNetwork).neutered
        var exports = try common(source)
        exports["coldcard"] = try ColdcardExport(account, masterKey: master, network: network).text
        exports["slip132"] = account.key.text(try #require(SLIP132Form(accountPath: account.path)))
        try await expect(exports, of: source.wallet)
    }

    @Test(arguments: MultisigKind.allCases, [Network.main, .regtest]) func severalKeys(
        _ kind: MultisigKind, _ network: Network
    ) async throws {
        let source = try ExportSamples.multisig(kind, network: network, keyCount: 2)
        var exports = try common(source)
        exports["coldcard-multisig"] = try ColdcardMultisigExport(source).text
        try await expect(exports, of: source.wallet)
    }

    /// A cosigner's record is no wallet yet: here it makes one of one key.
    @Test(arguments: networks) func aCosigner(_ network: Network) async throws {
        let path = "m/48h/\(network == .main ? 0 : 1)h/0h/2h"
        let account = try ExportSamples.account(path, 0, network.keyNetwork)
        let master = try ExportSamples.master(0, network.keyNetwork).neutered
        let key = AccountKey(account).description
        let source = try ExportSamples.source(descriptors: ["wsh(sortedmulti(1,\(key)/<0;1>/*))"], network: network)
        try await expect(
            ["cosigner": key, "coldcard": try ColdcardExport(account, masterKey: master, network: network).text],
            of: source.wallet)
    }
}
