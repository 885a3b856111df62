import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import TapManager

/// Wallets as other programs write them.
@Suite struct WalletFileTests {
    private static let nunchuk = LedgeredFile.nunchukWallets

    private static func wallet(_ file: WalletFile, network: Network = .test) throws -> WatchWallet {
        let source = try CardManager.WalletSource.parsing(file.descriptors)
        guard case .descriptors(let texts) = source else { throw CocoaError(.coderInvalidValue) }
        return try WalletDraft(
            name: WalletName(parsing: "theirs"), network: network, descriptors: texts.map(\.description)
        ).wallet
    }

    private static func addresses(_ wallet: WatchWallet, branch: Int, count: Int) throws -> [String] {
        try (0..<count).map { index in
            try wallet.address(at: WalletPlace(descriptor: 0, branch: branch, index: UInt32(index))).description
        }
    }

    /// As a descriptor, as JSON, and as the record that libnunchuk writes of it; with Nunchuk's addresses each time.
    @Test func nunchuksWalletsHaveNunchuksAddresses() throws {
        var ledger = try VectorLedger(Self.nunchuk)
        for row in try Vectors.load(Self.nunchuk.path) {
            let text = try row.text("descriptor")
            let receive: [String] = try #require(row["receive"])
            let change: [String] = try #require(row["change"])
            let forms = [
                text, "{\"label\": \"family\", \"descriptor\": \"\(text)\"}",
                "BSMS 1.0\n\(text)\nNo path restrictions\n\(receive[0])",
            ]
            for (number, form) in forms.enumerated() {
                ledger.enter("\(row.index) form \(number)") {
                    let wallet = try Self.wallet(WalletFile(parsing: form, network: nil))
                    #expect(try Self.addresses(wallet, branch: 0, count: receive.count) == receive)
                    #expect(try Self.addresses(wallet, branch: 1, count: change.count) == change)
                }
            }
            guard !ledger.isListed("\(row.index) form 0") else { continue }
            // The same record is written of it, as far as programs read it.
            let wallet = try Self.wallet(WalletFile(parsing: text, network: nil))
            let record = try BSMSDescriptorRecord(ExportSource(wallet))
            #expect(
                record.text.replacing("h", with: "'").split(separator: "\n").map { $0.prefix { $0 != "#" } }
                    == forms[2].replacing("h", with: "'").split(separator: "\n").map { $0.prefix { $0 != "#" } })
            let again = try WalletFile(parsing: record.text, network: .test)
            #expect(try Self.wallet(again).descriptors.map(\.text) == wallet.descriptors.map(\.text))
        }
        ledger.close(count: 12)
    }

    /// Nunchuk leaves the branch out of multisig wallets, and means both; the first address decides.
    @Test func nunchuksMultisigRecordsAreRead() throws {
        var generator = SeededGenerator()
        let keys = try RandomPolicy.keys(2, &generator)
        func text(_ ending: String) throws -> String {
            try DescriptorChecksum.append(to: "wsh(sortedmulti(2,\(keys[0])\(ending),\(keys[1])\(ending)))")
        }
        func first(_ ending: String) throws -> String {
            let script = try Descriptor(parsing: text(ending)).script()
            return try #require(Address(scriptPubKey: script, network: .test)).description
        }
        let branches = try [text("/0/*"), text("/1/*")].map { try Descriptor(parsing: $0).text }
        for restrictions in ["No path restrictions", "/0/*,/1/*"] {
            let record = try "BSMS 1.0\n\(text("/*"))\n\(restrictions)\n\(first("/0/*"))"
            let wallet = try Self.wallet(WalletFile(parsing: record, network: nil))
            #expect(wallet.descriptors.map(\.text) == branches)
        }
        // Whoever means what is written has its first address.
        let literal = try "BSMS 1.0\n\(text("/*"))\nNo path restrictions\n\(first("/*"))"
        #expect(try WalletFile(parsing: literal, network: nil).descriptors == [text("/*")])
        let wrong = try "BSMS 1.0\n\(text("/*"))\nNo path restrictions\n\(first("/1/*"))"
        let fault = #expect(throws: WalletFile.Fault.self) { try WalletFile(parsing: wrong, network: nil) }
        #expect(fault == .record(.otherAddress(expected: try first("/*"))))
        // Both branches in two letters.
        let short = try WalletFile(parsing: text("/**"), network: nil)
        #expect(try Self.wallet(short).descriptors.map(\.text) == [Descriptor(parsing: text("/<0;1>/*")).text])
        let altered = try text("/**").replacing("sortedmulti(2", with: "sortedmulti(1")
        #expect(throws: WalletError.descriptor(1, .checksum(.mismatch))) {
            try CardManager.WalletSource.parsing([altered])
        }
    }

    @Test func commentsAndRepeatedBranchesAreLeftOut() throws {
        var generator = SeededGenerator()
        let key = try RandomPolicy.keys(1, &generator)[0]
        let both = try DescriptorChecksum.append(to: "wpkh(\(key)/<0;1>/*)")
        let text = """
            # Receive and change descriptor (BIP389):
            \(both)

            # Receive descriptor (Bitcoin Core):
            \(try DescriptorChecksum.append(to: "wpkh(\(key)/0/*)"))

            # Change descriptor (Bitcoin Core):
            wpkh(\(key)/1/*)

            """
        #expect(try WalletFile(parsing: text, network: nil).descriptors == [both])
        let two = "wpkh(\(key)/0/*)\nwpkh(\(key)/1/*)\n"
        #expect(try WalletFile(parsing: two, network: nil).descriptors.count == 2)
    }

    @Test func whatIsNoWalletIsNamed() throws {
        let descriptor = "wpkh(tpub…)"
        func backup(_ members: String) -> String { "{\(members)}" }
        let account = "\"accounts\":[{\"descriptor\":\"\(descriptor)\"}]"
        let cases: [(String, WalletFile.Fault)] = [
            ("", .empty), ("\n# only a comment\n", .empty), ("{", .json), ("{} {}", .json), ("{}", .noDescriptor),
            ("a" + String(repeating: "\u{301}", count: 65), .excess(.endlessLetter)),
            ("{\"accounts\":" + String(repeating: "[", count: 40), .excess(.depth)),
            (backup("\"descriptor\":7"), .noDescriptor),
            (backup("\"network\":\"signet\",\"accounts\":[]"), .accounts(0)),
            (backup("\"network\":\"signet\",\"accounts\":[{},{}]"), .accounts(2)),
            (backup("\"network\":\"signet\",\"accounts\":[{}]"), .noDescriptor),
            (backup(account), .network("")), (backup("\(account),\"network\":\"liquid\""), .network("liquid")),
            (backup("\(account),\"network\":\"signet\",\"version\":1"), .version(1)),
            (backup("\(account),\"network\":\"signet\",\"version\":\"1\""), .version(-1)),
            (backup("\(account),\"network\":\"bitcoin\""), .otherNetwork(.main, asked: .regtest)),
            ("tr(tpub…)", .taproot), (backup("\"descriptor\":\"tr(tpub…)\""), .taproot),
            ("BSMS 1.0\ntr(tpub…)\nNo path restrictions\ntb1p…", .taproot), ("BSMS 1.0\n", .record(.lines(1))),
        ]
        for (text, fault) in cases {
            let thrown = #expect(throws: WalletFile.Fault.self) { try WalletFile(parsing: text, network: .regtest) }
            #expect(thrown == fault, "\(text)")
        }
        #expect(
            try WalletFile(parsing: backup("\(account),\"network\":\"regtest\",\"version\":0"), network: nil).network
                == .regtest)
    }

    /// A file is read in time that grows as it does, whichever form it has.
    @Test func theirTimeIsLinear() throws {
        let key = try SampleWallet(seed: 1).extendedKey(DerivationPath(parsing: "m/84h/1h/0h")).text
        for (form, text) in [
            ("descriptors", { count in (0..<count).map { "wpkh(\(key)/\($0)/*)" }.joined(separator: "\n") }),
            ("comments", { count in String(repeating: "# comment\n", count: count) + "wpkh(\(key)/0/*)" }),
            (
                "a backup",
                { count in
                    let values = Array(repeating: "1", count: count).joined(separator: ",")
                    return #"{"network":"signet","psbts":[\#(values)],"accounts":[{"descriptor":"wpkh(\#(key)/0/*)"}]}"#
                }
            ),
        ] as [(String, (Int) -> String)] {
            try Scaling.expectLinear(form, upTo: 1 << 16, input: text) {
                let file = try WalletFile(parsing: $0, network: nil)
                #expect(!file.descriptors.isEmpty)
            }
        }
    }
}
