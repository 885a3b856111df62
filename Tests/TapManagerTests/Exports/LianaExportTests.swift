import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import TapManager

/// What Liana can have, by its own tests; and that it can have what templates make.
@Suite struct LianaExportTests {
    private static let file = LedgeredFile.lianaDescriptors

    /// Liana's descriptors are read, with their addresses; those of taproot are refused by name, and what Liana refuses is not
    /// exported.
    @Test func descriptorsAreAcceptedAsLianaAcceptsThem() throws {
        var ledger = try VectorLedger(Self.file)
        for row in try Vectors.load(Self.file.path) {
            let text = try row.text("descriptor")
            let name = "\(row.index) \(row.kind)"
            guard !text.hasPrefix("tr(") else {
                let fault = #expect(throws: WalletFile.Fault.self) { try WalletFile(parsing: text, network: nil) }
                ledger.enter(name, fault, expected: .taproot)
                continue
            }
            let descriptor = try? Descriptor(parsing: text)
            let isLianas = descriptor.map { LianaExport.unkeptRule(of: $0) == nil } ?? false
            ledger.enter(name, isLianas, expected: row.kind == "accepted")
            guard row.kind == "accepted", let descriptor else { continue }
            #expect(descriptor.branches.count == 2)
            // A wallet like any other, unless its keys are of two networks.
            guard descriptor.keyNetworks.count == 1 else { continue }
            let file = try WalletFile(parsing: text + "\n", network: nil)
            let draft = try WalletDraft(
                name: WalletName(parsing: "liana"), network: nil, descriptors: file.descriptors)
            #expect(draft.wallet.descriptors.first?.text == descriptor.text)
            guard let address: String = row["address"] else { continue }
            let script = try descriptor.script(index: UInt32(try row.number("index")))
            #expect(try Address(parsing: address, network: .main).scriptPubKey == script)
        }
        ledger.close(count: 38)
    }

    @Test func lianasBackupIsRead() throws {
        let bytes = try Vectors.contents("liana/liana-backup-2025-06-23T13-23-54.json")
        let text = String(decoding: bytes, as: UTF8.self)
        let file = try WalletFile(parsing: text, network: nil)
        #expect(file.network == .regtest && file.descriptors.count == 1)
        let draft = try WalletDraft(
            name: WalletName(parsing: "liana"), network: file.network, descriptors: file.descriptors)
        // The address that the backup has for the coin at index 1.
        let address = "bcrt1ql538tzmygudxwdc3trz5d26erpejvkggt6epexhktywtsy09d3nqzqf3d4"
        #expect(text.contains("\"address\": \"\(address)\""))
        let place = WalletPlace(descriptor: 0, branch: 0, index: 1)
        #expect(try draft.wallet.address(at: place).description == address)
        #expect(try LianaExport(ExportSource(draft.wallet)).text == draft.wallet.descriptors[0].text.map { $0 + "\n" })
    }

    /// Whatever a template makes keeps Liana's rules.
    @Test func everyTemplateIsLianas() throws {
        var generator = SeededGenerator()
        for _ in 0..<300 {
            let random = try RandomPolicy(&generator)
            #expect(LianaExport.unkeptRule(of: try random.policy().descriptor) == nil, "\(random)")
        }
    }

    @Test func whatLianaDoesNotHaveIsNamed() throws {
        var generator = SeededGenerator()
        let keys = try RandomPolicy.keys(3, &generator)
        let (a, b, c) = ("\(keys[0])", "\(keys[1])", "\(keys[2])")
        let ending = "/<0;1>/*"
        let examples: [(LianaRule, String)] = [
            (.descriptor, "wsh(sortedmulti(2,\(a)\(ending),\(b)\(ending)))"),
            (.descriptor, "sh(wsh(or_d(pk(\(a)\(ending)),and_v(v:pkh(\(b)\(ending)),older(9)))))"),
            (.primaryPath, "wsh(or_i(and_v(v:pk(\(a)\(ending)),older(8)),and_v(v:pkh(\(b)\(ending)),older(9))))"),
            (
                .primaryPath,
                "wsh(or_d(multi(2,\(a)\(ending),\(b)\(ending)),or_d(pk(\(c)\(ending)),"
                    + "and_v(v:pkh(\(c)/<2;3>/*),older(9)))))"
            ),
            (.recoveryPaths, "wsh(or_d(pk(\(a)\(ending)),pkh(\(b)\(ending))))"),
            (.recoveryPaths, "wsh(or_d(pk(\(a)\(ending)),and_v(v:pkh(\(b)\(ending)),after(900000))))"),
            (.recoveryPaths, "wsh(thresh(2,pk(\(a)\(ending)),s:pk(\(b)\(ending)),sln:older(9)))"),
            (
                .recoveryPaths,
                "wsh(or_d(pk(\(a)\(ending)),and_v(v:pkh(\(b)\(ending)),"
                    + "sha256(\(String(repeating: "11", count: 32))))))"
            ),
            (.blocks, "wsh(or_d(pk(\(a)\(ending)),and_v(v:pkh(\(b)\(ending)),older(4194306))))"),
            (
                .differentBlocks,
                "wsh(or_i(and_v(v:pkh(\(a)\(ending)),older(9)),or_d(pk(\(b)\(ending)),"
                    + "and_v(v:pkh(\(c)\(ending)),older(9)))))"
            ),
            (.keys, "wsh(or_d(pk(\(a)/0/*),and_v(v:pkh(\(b)/0/*),older(9))))"),
            (.keys, "wsh(or_d(pk(\(a)/<0;1;2>/*),and_v(v:pkh(\(b)/<0;1;2>/*),older(9))))"),
            (.keys, "wsh(or_d(pk(\(keys[0].key.text)\(ending)),and_v(v:pkh(\(b)\(ending)),older(9))))"),
            (
                .differentHolders,
                "wsh(or_d(multi(2,\(a)\(ending),\(keys[0].origin)\(keys[1].key.text)\(ending)),"
                    + "and_v(v:pkh(\(c)\(ending)),older(9))))"
            ),
        ]
        for (rule, text) in examples {
            #expect(LianaExport.unkeptRule(of: try Descriptor(parsing: text)) == rule, "\(text)")
        }
        #expect(Set(examples.map(\.0)) == Set(LianaRule.allCases))
    }
}
