import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit export`: where the file goes, what stands in the JSON answer, and what is refused.
@Suite(.fewAtATime) struct ExportVerbTests {
    @Test func everyFormatOfACard() async throws {
        let card = try await Workshop()
        for format in ["descriptors", "core", "sparrow", "electrum", "coldcard", "specter", "slip132"] {
            let plain = try await card.tapkit("export", format).succeeded()
            let answer = try await card.tapkit("export", format, "--json", "-o", "\(format).file").succeeded().json()
            answer.expectKeys("content descriptors file fingerprint format path simulated slip132 warnings xpub")
            #expect(try answer.text("content") == plain.text && answer.text("format") == format)
            #expect(try answer.text("path") == "m/84h/1h/0h" && answer.text("slip132").hasPrefix("vpub"))
            #expect(try String(decoding: card.bytes("\(format).file"), as: UTF8.self) == plain.text)
            // What is JSON itself is the answer itself.
            let printed = try await card.tapkit("export", format, "--json").succeeded()
            let isJSON = ["core", "electrum", "coldcard", "specter"].contains(format)
            #expect(try (isJSON ? printed.text : printed.json().text("content")) == plain.text)
        }
        // A file with other content is left alone.
        try await card.tapkit("export", "core", "-o", "electrum.file", "--json").expectFailure(73, "would_overwrite")
        let split = try await card.tapkit("export", "descriptors", "--split").succeeded().text.split(separator: "\n")
        #expect(split.count == 2)
        for line in split { #expect(try Descriptor(parsing: String(line), requiresChecksum: true).branchCount == 1) }
        let core = try await card.tapkit("export", "core", "--birthday", "2024-05-01").succeeded().text
        #expect(core.contains(#""timestamp": 1714521600"#))
    }

    @Test func aPathThatIsNotTheFormats() async throws {
        let card = try await Workshop()
        try await card.tapkit("derive", "m/48h/1h/0h/2h").succeeded()
        #expect(try await card.tapkit("status").succeeded().text.contains("Next: tapkit export cosigner, "))
        // Its key, and not descriptors of a wallet of its own.
        let setUp = try await card.tapkit("setup", "--keep-cvc").succeeded().text
        let key = try await card.tapkit("export", "cosigner").succeeded().text
        #expect(setUp.contains("  Cosigner key: \(key)") && !setUp.contains("Descriptor:"))
        #expect(setUp.contains("  Next: tapkit export cosigner"))
        #expect(try await card.tapkit("setup", "--keep-cvc", "--json").succeeded().json()["descriptors"] != nil)
        let alone = try await card.tapkit("wallet", "add", "alone", "--json").succeeded()
        #expect(try alone.json().field("warnings", as: [String].self).count == 1)
        try await card.tapkit("export", "electrum", "--json").expectFailure(65, "not_exportable")
        let coldcard = try await card.tapkit("export", "coldcard").succeeded().json()
        #expect(coldcard["bip48_2"] != nil)
        let xpub = try await card.tapkit("xpub", "--json").succeeded().json()
        #expect(try xpub.text("slip132").hasPrefix("Vpub"))
        #expect(try await card.tapkit("xpub", "--master", "--json").succeeded().json()["slip132"] == nil)
        try await card.tapkit("derive", "m/1h").succeeded()
        for format in ["coldcard", "slip132"] {
            try await card.tapkit("export", format, "--json").expectFailure(65, "not_exportable")
        }
        let answer = try await card.tapkit("export", "electrum", "--json", "-o", "electrum.json").succeeded().json()
        #expect(try answer.field("warnings", as: [String].self).first?.contains("P2WPKH is used") == true)
        let typed = try await card.tapkit("export", "slip132", "--address-type", "p2sh-p2wpkh").succeeded().text
        #expect(typed.hasPrefix("upub"))
    }

    @Test func whatMakesNoSenseIsRefused() async throws {
        let card = try await Workshop(isSetUp: false)
        for arguments in [
            ["coldcard-multisig"], ["core", "--split"], ["sparrow", "--birthday", "now"],
            ["core", "--birthday", "1.5.2024"],
            ["cosigner", "--wallet", "w"], ["core", "--token", "00"], ["bsms", "--token", "123456"],
            ["electrum", "--wallet", "w", "--address-type", "p2pkh"], ["coldcard", "--address-type", "p2pkh"],
            ["pizza"],
        ] {
            try await card.tapkit(["export"] + arguments + ["--json"]).expectFailure(64, "usage")
        }
        try await card.tapkit("export", "core", "--wallet", "w", "--json").expectFailure(65, "no_such_wallet")
    }

    /// Two cards, a coordinator that is a third wallet program, and the way back.
    @Test(arguments: [[], ["--token", "a54044308ceac9b7"]]) func aWalletIsSetUpByBSMS(_ token: [String]) async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        var keys: [String] = []
        for card in [first, second] {
            try await card.tapkit("derive", "m/48h/1h/0h/2h").succeeded()
            let record = try await card.tapkit(["export", "bsms", "--label", "A key"] + token).succeeded().text
            #expect(record.last?.isNewline == false)
            if token.isEmpty {
                let lines = record.split(separator: "\n").map(String.init)
                #expect(lines.count == 5 && lines[0] == "BSMS 1.0" && lines[1] == "00" && lines[3] == "A key")
                keys.append(lines[2])
            } else {
                #expect(!record.contains { !$0.isHexDigit })
                keys.append(try await card.tapkit("export", "cosigner").succeeded().text.filter { !$0.isNewline })
            }
        }
        let network = ["--network", "regtest"]
        let text = "wsh(sortedmulti(2,\(keys.map { "\($0)/<0;1>/*" }.joined(separator: ","))))"
        try await first.tapkit(["wallet", "add", "ours", text] + network).succeeded()
        try await first.tapkit(["export", "bsms", "--wallet", "ours", "-o", "ours.bsms"] + token).succeeded()
        let again = try await first.tapkit(["wallet", "add", "again", "--bsms", "ours.bsms"] + token + network)
            .succeeded()
        #expect(!again.errorText.contains("WARNING") && again.errorText.contains("anyone can copy"))
        // Whose cards are not among the keys is told so.
        let elsewhere = try await first.tapkit(
            ["wallet", "add", "again", "--bsms", "ours.bsms"] + token + network,
            environment: ["TAPKIT_DATA_DIR": first.folder.path("elsewhere")]
        ).succeeded()
        #expect(elsewhere.errorText.contains("WARNING: None of the keys"))
        for index in ["0", "7"] {
            let addresses = try await ["ours", "again"].asyncMap { name in
                try await first.tapkit("wallet", "receive", name, "--index", index, "--json").succeeded().json()
                    .text("address")
            }
            #expect(addresses[0] == addresses[1])
        }
        var record = try String(decoding: first.bytes("ours.bsms"), as: UTF8.self)
        // COLDCARD divides the file into four lines, and refuses more.
        #expect(record.split(separator: "\n", omittingEmptySubsequences: false).count == (token.isEmpty ? 4 : 1))
        try first.folder.write(record + "\n", to: "ended.bsms")
        try await first.tapkit(["wallet", "add", "ended", "--bsms", "ended.bsms"] + token + network).succeeded()
        record = token.isEmpty ? record.replacing("sortedmulti(2", with: "sortedmulti(1") : "00" + record.dropFirst(2)
        try first.folder.write(record, to: "changed.bsms")
        try await first.tapkit(["wallet", "add", "changed", "--bsms", "changed.bsms", "--json"] + token + network)
            .expectFailure(65, "bad_descriptor")
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
