import TestSupport
import Testing

/// The maker's reference client and `tapkit`, side by side on the same SATSCARD in the real PC/SC service.
@Suite struct SatscardReferenceTests {
    private static let cvc = Workshop.satscardCVC
    private static let versions = ["0.9.0", "1.0.0", "1.0.2", "1.0.3"]

    private func table(_ version: String) async throws -> ReferenceTable {
        try await ReferenceTable(try await Workshop.satscard("--applet", version))
    }

    @Test(arguments: versions) func seesTheSameCard(_ version: String) async throws {
        let table = try await table(version)
        let runs = try await table.session([
            ["status"], ["version"], ["chain"], ["list"], ["certs"], ["address"], ["address", "-s", "1"],
            ["address", "-p"], ["usage"], ["usage", Self.cvc], ["dump", "1"], ["check", Self.cvc], ["url"],
            ["wif", Self.cvc], ["setup", Self.cvc],
        ])
        let status = try await table.tapkit(["status"])
        let address = try await table.tapkit(["address"]).text("address")
        let slots = try await table.slots()

        let (their, lines) = (try runs[0].succeeded().output, runs[0].lines)
        #expect(their.contains("-- SATSCARD --"))
        #expect(lines.contains("Card ident: \(try status.text("ident"))"))
        #expect(lines.contains("Birth Height: \(try status.field("birth_height", as: Int.self))"))
        #expect(lines.contains("Active Slot: \(try status.field("active_slot", as: Int.self))"))
        #expect(lines.contains("Address: \(address)"))
        #expect(try runs[1].succeeded().lastLine == status.text("version"))
        #expect(try runs[2].succeeded().lastLine == "XTN")
        #expect(try runs[3].succeeded().output.contains(status.text("ident")))
        #expect(try runs[4].succeeded().output.contains("Has cert signed by: BOGUS CLI ROOT CERT"))
        #expect(try runs[5].succeeded().lastLine == address)
        #expect(try runs[6].succeeded().lastLine == address)
        let pubkey = try runs[7].succeeded().lastLine
        #expect(try status.text("address") == address)
        for usage in runs[8...9] { #expect(try usage.usage() == slots.usage) }
        #expect(try runs[10].succeeded().lines.contains("sealed: True"))
        #expect(try runs[11].succeeded().lastLine == "Code is correct.")

        // The link that the card signed for them is the address's, and the key in it the one that they saw.
        let theirLink = try await table.tapkit(["url", "verify", try runs[12].succeeded().lastLine])
        #expect(try theirLink.text("address") == address)
        #expect(try theirLink.text("pubkey") == pubkey)
        #expect(try theirLink.text("state") == "sealed")
        let ourLink = try await table.tapkit(["url"])
        for key in ["address", "pubkey", "state", "product"] { #expect(try ourLink.text(key) == theirLink.text(key)) }

        // Neither program shows the key of a sealed slot, or gives it another.
        runs[13].failed(saying: "Please, unseal first slot")
        runs[14].failed(saying: "has been used already")
        #expect(try await table.tapkit(["setup"]).text("address") == address)
    }

    /// One program opens what the other has set up, and each finds the same keys.
    @Test(arguments: versions) func openAndSetUpInTurns(_ version: String) async throws {
        let table = try await table(version)
        let theirs = try await table.session([["unseal", Self.cvc], ["setup", "-n", Self.cvc]])
        var slots = try await table.slots()
        #expect(slots.usage.prefix(3).map(\.state) == ["unsealed", "sealed", "unused"])
        #expect(try theirs[0].succeeded().lines.dropFirst() == [slots[0].address, slots[0].wif])
        #expect(try theirs[1].succeeded().lastLine == slots[1].address)
        #expect(try await table.tapkit(["address"]).text("address") == slots[1].address)

        let opened = try await table.tapkit(["unseal"])
        #expect(try opened.text("address") == slots[1].address)
        let next = try await table.tapkit(["setup"])
        #expect(try next.field("slot", as: Int.self) == 3)
        slots = try await table.slots()
        let message = "paid with slot 2"
        let runs = try await table.session([
            ["wif", Self.cvc], ["wif", "--bare", "-s", "2", Self.cvc], ["address"], ["usage"], ["usage", Self.cvc],
            ["dump", "2", Self.cvc], ["dump", "2"], ["core", Self.cvc], ["core", "-s", "1", "-s", "3"],
            ["msg", "-s", "2", message, Self.cvc], ["msg", "-j", "-s", "1", message, Self.cvc],
            ["msg", "-s", "3", message, Self.cvc], ["api-pubkey", "2"], ["api-pubkey", "3"],
        ])
        #expect(try runs[0].succeeded().lines == ["Slot #2:", slots[1].address, "p2wpkh:\(slots[1].wif)"])
        #expect(try runs[1].succeeded().lastLine == opened.text("wif"))
        #expect(try runs[2].succeeded().lastLine == next.text("address"))
        for usage in runs[3...4] { #expect(try usage.usage() == slots.usage) }
        let key = try table.key(slots[1].wif)
        #expect(try runs[5].succeeded().lines.contains("privkey: \(key.secret)"))
        #expect(runs[5].lines.contains("pubkey: \(key.pubkey)"))
        #expect(try runs[6].succeeded().lines.contains("addr: \(slots[1].address)"))
        #expect(!runs[6].output.contains(key.secret))

        #expect(try runs[7].descriptors() == [slots[0].descriptor, slots[1].descriptor, "addr(\(slots[2].address))"])
        #expect(try runs[8].descriptors() == ["addr(\(slots[0].address))", "addr(\(slots[2].address))"])

        #expect(Array(try runs[9].succeeded().lines.prefix(2)) == [message, slots[1].address])
        for (run, slot) in [(runs[9], 1), (runs[10], 0)] {
            let signer = try await PythonEnvironment.shared().run(
                "recover_message_key.py", ["message": message, "signature": try run.succeeded().lastLine])
            #expect(try signer.text("pubkey") == table.key(slots[slot].wif).pubkey)
            let verdict = try await table.tapkit(["message", "verify", slots[slot].address, run.lastLine, message])
            #expect(try verdict.field("valid", as: Bool.self))
        }
        let ours = try await table.tapkit(["message", "sign", message, "--slot", "2"])
        let signer = try await PythonEnvironment.shared().run(
            "recover_message_key.py", ["message": message, "signature": try ours.text("signature")])
        #expect(try signer.text("pubkey") == key.pubkey && ours.text("address") == slots[1].address)
        runs[11].failed(saying: "406")

        // Before 1.0.3 the key of an opened slot takes the CVC.
        #expect(try runs[12].succeeded().lastLine == (version == "1.0.3" ? key.pubkey : ""))
        #expect(try await runs[13].succeeded().lastLine == table.tapkit(["url"]).text("pubkey"))

        // The chain code that they named is the one that ours finds in the slot's key.
        let chainCode = String(repeating: "5a", count: 32)
        let named = try await table.session([["unseal", Self.cvc], ["api-setup", chainCode, Self.cvc]])
        #expect(try named[0].succeeded().lines[1] == next.text("address"))
        let found = try await table.tapkit(["setup", "--chain-code", chainCode])
        #expect(try found.text("address") == named[1].succeeded().lastLine)
        #expect(try found.field("chain_code_supplied", as: Bool.self))
        try await table.run(["setup", "--chain-code", String(repeating: "5b", count: 32)])
            .expectFailure(65, "already_set_up")
    }

    /// Up to 1.0.0 a full card goes on naming its last slot, later ones name the slot behind it.
    @Test(arguments: versions) func theyUseACardUp(_ version: String) async throws {
        let table = try await table(version)
        let turns = try await table.session(
            Array(repeating: [["unseal", Self.cvc], ["setup", "-n", Self.cvc]], count: 9).flatMap { $0 }
                + [["unseal", Self.cvc], ["usage", Self.cvc], ["wif", "-s", "10", Self.cvc]])
        let slots = try await table.slots()
        #expect(slots.usage.map(\.state) == Array(repeating: "unsealed", count: 10))
        for slot in 0..<10 {
            let opened = try turns[2 * slot].succeeded()
            #expect(opened.lines == ["Slot #\(slot + 1):", slots[slot].address, slots[slot].wif])
            if slot > 0 { #expect(try turns[2 * slot - 1].succeeded().lastLine == slots[slot].address) }
        }
        #expect(try turns[19].usage() == slots.usage)
        #expect(try turns[20].succeeded().lastLine == "p2wpkh:\(slots[9].wif)")

        try await table.expectUsedUp(version)
    }

    /// The same card, used up by us.
    @Test(arguments: ["0.9.0", "1.0.3"]) func weUseACardUp(_ version: String) async throws {
        let table = try await ReferenceTable(
            try await Workshop.satscard("--applet", version, "--used-slots", "8"))
        let ninth = try await table.tapkit(["unseal"])
        #expect(try ninth.field("next_slot", as: Int.self) == 10)
        let last = try await table.tapkit(["setup"])
        #expect(try last.field("slot", as: Int.self) == 10)
        let tenth = try await table.tapkit(["unseal"])
        #expect(try tenth.text("address") == last.text("address"))
        #expect(tenth["next_slot"] == nil)
        let runs = try await table.session([
            ["usage", Self.cvc], ["wif", "-s", "9", Self.cvc], ["wif", "-s", "10", Self.cvc],
        ])
        #expect(try await runs[0].usage() == table.slots().usage)
        #expect(try runs[1].succeeded().lastLine == "p2wpkh:\(ninth.text("wif"))")
        #expect(try runs[2].succeeded().lastLine == "p2wpkh:\(tenth.text("wif"))")
        try await table.expectUsedUp(version)
    }
}
