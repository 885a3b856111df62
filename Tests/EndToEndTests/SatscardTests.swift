import Foundation
import TestSupport
import Testing

/// A SATSCARD's verbs: what they answer, to people and to programs, at every stage of a card's life.
@Suite struct SatscardTests {
    /// Every key that an answer has: those of the contract, and no others than these.
    @Test func theAnswersHaveTheKeysOfTheContract() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        func answer(_ arguments: String...) async throws -> [String: Any] {
            let run = try await workshop.tapkit(arguments + ["--json", "--yes"]).succeeded()
            #expect(run.text.filter { $0 == "\n" }.count == 1, "more than one object: \(run.text)")
            return try run.json()
        }
        let status = try await answer("status")
        status.expectKeys(
            """
            product ident version birth_height network card_pubkey genuine root root_key auth_delay_s active_slot slots \
            slot_state address seal_verified tampered simulated reader unfinished unsent
            """)
        #expect(try status.text("product") == "satscard" && status.text("slot_state") == "sealed")
        #expect(try status.field("active_slot", as: Int.self) == 2 && status.field("slots", as: Int.self) == 10)

        let address = try await answer("address")
        address.expectKeys("address slot state verified seal_verified uri ident warnings")
        #expect(try address.text("address") == status.text("address"))
        #expect(try address.text("uri") == "bitcoin:\(address.text("address"))")
        #expect(try address.field("slot", as: Int.self) == 2)
        #expect(try address.field("verified", as: Bool.self) && address.field("seal_verified", as: Bool.self))
        let opened = try await answer("address", "--slot", "1")
        opened.expectKeys("address slot state verified seal_verified ident warnings")
        #expect(try opened.text("state") == "unsealed" && !opened.field("seal_verified", as: Bool.self))
        // The CVC was given, so the card showed the key.
        #expect(try opened.field("verified", as: Bool.self))

        let listed = try await answer("slots")
        listed.expectKeys("slots ident unsent")
        var slots: [[String: Any]] = try listed.field("slots")
        for (index, slot) in slots.enumerated() {
            let keys = ["slot state address verified", "slot state address verified seal_verified"]
            slot.expectKeys(index < 2 ? keys[index] : "slot state")
            #expect(try slot.field("slot", as: Int.self) == index + 1)
        }
        #expect(try slots.prefix(3).map { try $0.text("state") } == ["unsealed", "sealed", "unused"])
        slots = try await answer("slots", "--show-keys").field("slots")
        slots[0].expectKeys("slot state address verified wif descriptor")
        slots[1].expectKeys("slot state address verified seal_verified")

        let key = try await answer("unseal")
        key.expectKeys("slot address wif descriptor opened_before next_slot tampered exposed")
        #expect(try key.field("slot", as: Int.self) == 2 && key.text("address") == address.text("address"))
        #expect(try key.text("descriptor").hasPrefix("wpkh(\(key.text("wif")))#"))
        #expect(try key.field("next_slot", as: Int.self) == 3)

        let next = try await answer("setup")
        next.expectKeys("product ident slot address seal_verified chain_code_supplied")
        #expect(try next.field("slot", as: Int.self) == 3 && next.field("chain_code_supplied", as: Bool.self))
        let url = try await answer("url")
        url.expectKeys("valid product state slot address network pubkey nonce url source")
        #expect(try url.text("address") == next.text("address"))
        let proven = try await answer("verify")
        proven.expectKeys("proofs genuine root product ident")
        let proofs: [[String: Any]] = try proven.field("proofs")
        for proof in proofs { proof.expectKeys("name ok proven detail") }
    }

    /// A file that has other cards' CVCs alone proves nothing of this one, and keeps nobody from looking at it.
    @Test func theCVCsOfOtherCardsProveNothing() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        let file = try workshop.folder.write("2222222 482913\n", to: "others")
        let run = try await workshop.tapkit("slots", "--json", "--cvc-file", file).succeeded()
        let slots: [[String: Any]] = try run.json().field("slots")
        #expect(try !slots[0].field("verified", as: Bool.self) && slots[1].field("verified", as: Bool.self))
        let address = try await workshop.tapkit("address", "--slot", "1", "--json", "--cvc-file", file).succeeded()
        #expect(try !address.json().field("verified", as: Bool.self))
    }

    /// Before 1.0.0 no card can prove that a slot is sealed: whoever shows or lists one says so.
    @Test(arguments: [("0.9.0", false), ("1.0.0", true), ("1.0.3", true)])
    func whetherTheSealIsProvenIsSaid(_ version: String, _ isProven: Bool) async throws {
        let workshop = try await Workshop.satscard("--applet", version)
        var answers: [[String: Any]] = try await workshop.tapkit("slots", "--json").succeeded().json().field("slots")
        for arguments in [["status"], ["address", "--yes"]] {
            answers.insert(try await workshop.tapkit(arguments + ["--json"]).succeeded().json(), at: 0)
        }
        for answer in answers.prefix(3) { #expect(try answer.field("seal_verified", as: Bool.self) == isProven) }
        for verb in ["status", "slots", "address"] {
            let run = try await workshop.tapkit(verb, "--yes").succeeded()
            #expect(
                (run.text + run.errorText).lowercased().contains("according to the card") == !isProven, "\(verb)")
        }
    }

    @Test func peopleAreToldTheSame() async throws {
        let workshop = try await Workshop.satscard()
        let address = try await workshop.tapkit("address", "--json").json().text("address")
        let shown = try await workshop.tapkit("address").succeeded()
        // The address alone, so that a script can use it; what it is worth goes to standard error.
        #expect(shown.text == address + "\n")
        #expect(shown.errorText.contains("Proven by the card") && shown.errorText.contains("SIMULATED"))
        let status = try await workshop.tapkit("status").succeeded().text
        #expect(status.contains("Slot 1 of 10, sealed") && status.contains("Address: \(address)"))
        #expect(status.contains("Genuine: no") && !status.contains("QR code printed on the card"))

        // The card is proven twice for this, and said to be simulated once.
        let verified = try await workshop.tapkit("verify").succeeded().errorText
        #expect(verified.components(separatedBy: "SIMULATED").count == 2, "\(verified)")

        let key = try await workshop.tapkit("unseal", "--yes").succeeded().text
        #expect(key.contains("SIMULATED: slot 1 is now unsealed") && key.contains("Address: \(address)"))
        #expect(key.contains("Key (WIF): c") && key.contains("Descriptor: wpkh(c"))
        #expect(key.contains("do not use the QR code printed on the card any more"))
        #expect(
            key.contains("Next: tapkit sweep --to ADDRESS --slot 1") && key.contains("tapkit setup gives slot 2 a key"))
        #expect(try await workshop.tapkit("status").succeeded().text.contains("Next: tapkit sweep --to ADDRESS"))
        let again = try await workshop.tapkit("unseal", "--yes").succeeded().text
        #expect(again.contains("slot 1 was unsealed before") && again.contains("Address: \(address)"))
        #expect(key.contains("UNENCRYPTED: anyone who was listening") && again.contains("It is not known whether"))

        let setup = try await workshop.tapkit("setup").succeeded().text
        #expect(setup.contains("slot 2 is sealed and can be paid to") && setup.contains("(proven)"))
        let listed = try await workshop.tapkit("slots").succeeded().text
        #expect(listed.contains("\n   1  UNSEALED  \(address)\n") && listed.contains("\n   2  sealed    tb1"))
        #expect(listed.contains("\n   3  unused\n") && listed.contains("QR code printed on the card"))
        #expect(!listed.contains("WIF") && !listed.contains("wpkh("))
        let keys = try await workshop.tapkit("slots", "--show-keys", "--yes").succeeded().text
        #expect(keys.contains("Key (WIF): c") && keys.contains("Descriptor: wpkh(c"))
        let old = try await workshop.tapkit("address", "--slot", "1").succeeded()
        #expect(old.text == address + "\n" && old.errorText.contains("Do not pay to this address"))
        #expect(old.errorText.contains("The slot is unsealed."))
    }

    /// How far a card is used, and what it says of itself then.
    private struct Stage: Sendable, CustomTestStringConvertible {
        let options: [String]
        let active: Int
        /// `nil` where `status` alone does not tell.
        let state: String?
        let opened: Int

        var testDescription: String { options.joined(separator: " ") }

        init(_ options: String, active: Int, _ state: String?, opened: Int) {
            self.options = options.split(separator: " ").map(String.init)
            (self.active, self.state, self.opened) = (active, state, opened)
        }
    }

    private static let stages =
        [
            Stage("--blank", active: 1, "unused", opened: 0),
            Stage("--used-slots 4 --blank", active: 5, "unused", opened: 4),
            Stage("--used-slots 9", active: 10, "sealed", opened: 9),
            Stage("--used-slots 9 --blank", active: 10, nil, opened: 9),
        ]
        // Up to 1.0.0 the last slot has no address, whether it is unused or opened.
        + ["0.9.0", "1.0.0"].map { Stage("--used-slots 10 --applet \($0)", active: 10, nil, opened: 10) }
        + ["1.0.2", "1.0.3"].map { Stage("--used-slots 10 --applet \($0)", active: 10, "unsealed", opened: 10) }

    /// Fresh, blank, nearly full, and full in both conventions.
    @Test(arguments: stages) private func everyStageOfACardsLife(_ stage: Stage) async throws {
        let (active, state, opened) = (stage.active, stage.state, stage.opened)
        let workshop = try await Workshop(
            isSetUp: false, ["--product", "satscard"] + stage.options, cvc: Workshop.satscardCVC)
        let status = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try status.field("active_slot", as: Int.self) == active)
        #expect(status["slot_state"] as? String == state)
        #expect((status["address"] != nil) == (state == "sealed"))
        let slots: [[String: Any]] = try await workshop.tapkit("slots", "--json").succeeded().json().field("slots")
        let states = try slots.map { try $0.text("state") }
        #expect(states.count == 10 && states.prefix(opened).allSatisfy { $0 == "unsealed" })
        #expect(states.dropFirst(opened).first ?? "unsealed" == (opened == 10 ? "unsealed" : state ?? "unused"))

        let address = try await workshop.tapkit("address", "--json")
        let setup = try await workshop.tapkit("setup", "--json")
        if opened == 10 {
            try address.expectFailure(65, "card_used_up")
            try setup.expectFailure(65, "card_used_up")
            #expect(try setup.hint().contains("Do not pay"))
            let words = try await workshop.tapkit("status").succeeded().text
            #expect(
                words.contains(
                    state == nil
                        ? "unused or unsealed (find out with tapkit slots"
                        : "UNSEALED: the "
                            + "card is used up"))
        } else {
            if state == "sealed" { try address.succeeded() } else { try address.expectFailure(65, "slot_unused") }
            #expect(try setup.succeeded().json().field("slot", as: Int.self) == active)
        }
        let unseal = try await workshop.tapkit("unseal", "--yes", "--json").succeeded().json()
        #expect(try unseal.field("slot", as: Int.self) == (opened == 10 ? 10 : active))
        #expect(try unseal.field("opened_before", as: Bool.self) == (opened == 10))
        // How the card sent a key that an earlier run took out is not known.
        #expect(unseal["exposed"] as? Bool == (opened == 10 ? nil : true))
    }

    @Test func nothingWasEverSealed() async throws {
        let workshop = try await Workshop.satscard("--blank")
        try await workshop.tapkit("unseal", "--yes", "--json").expectFailure(65, "slot_unused")
        try await workshop.tapkit("address", "--json").expectFailure(65, "slot_unused")
        // No server is asked, and no sealed slot is offered.
        for slots in [[], ["--all"]] {
            try await workshop.tapkit(
                ["sweep", "--to", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "--yes", "--json"] + slots,
                environment: ["TAPKIT_CHAIN": "esplora:http://127.0.0.1:1"]
            ).expectFailure(65, "slot_unused")
        }
    }

    @Test(arguments: [
        ("0", 64, "usage"), ("-1", 64, "usage"), ("x", 64, "usage"), ("11", 65, "no_such_slot"),
        ("99999999999999999999", 64, "usage"), ("9223372036854775807", 65, "no_such_slot"), ("2", 65, "slot_unused"),
    ])
    func aSlotThatIsNotThere(_ slot: String, _ status: Int, _ code: String) async throws {
        let workshop = try await Workshop.satscard()
        try await workshop.tapkit("address", "--slot=\(slot)", "--json").expectFailure(Int32(status), code)
    }

    /// The CVC shows and proves more; without it the verbs that only look do without.
    @Test func whatNeedsNoCVCAsksForNone() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        for verb in ["status", "verify", "slots", "address", "url"] {
            let run = try await workshop.tapkit(verb, "--json", environment: ["TAPKIT_CVC_FILE": nil])
            try run.succeeded()
            guard verb == "slots" else { continue }
            let slots: [[String: Any]] = try run.json().field("slots")
            #expect(try !slots[0].field("verified", as: Bool.self) && slots[1].field("verified", as: Bool.self))
        }
    }

    /// Before 1.0.0 the certified key signs for no slot, and any forgery can call itself that old: no answer for programs
    /// calls such an address verified.
    @Test func anAddressThatNoCertifiedKeySignedForIsNotCalledVerified() async throws {
        for (version, isProven) in [("0.9.0", false), ("1.0.0", true)] {
            let workshop = try await Workshop.satscard("--used-slots", "1", "--blank", "--applet", version)
            // Nobody is told to pay there who was not asked first.
            if !isProven {
                try await workshop.tapkit("setup", "--json").expectFailure(64, "confirmation_needed")
            }
            let setup = try await workshop.tapkit("setup", "--json", "--yes").succeeded().json()
            if !isProven {
                try await workshop.tapkit("address", "--json").expectFailure(64, "confirmation_needed")
            }
            let status = try await workshop.tapkit("status", "--json").succeeded().json()
            let address = try await workshop.tapkit("address", "--json", "--yes").succeeded().json()
            let words = try await workshop.tapkit("address", "--yes").succeeded()
            #expect(words.errorText.contains("Proven") == isProven, "\(words.errorText)")
            let again = try await workshop.tapkit("setup", "--yes").succeeded()
            #expect(again.text.contains("is sealed and can be paid to") == isProven, "\(again.text)")
            let slots: [[String: Any]] = try await workshop.tapkit("slots", "--json").succeeded().json().field("slots")
            for answer in [setup, status, address, slots[1]] {
                #expect(try answer.field("seal_verified", as: Bool.self) == isProven, "\(version): \(answer)")
            }
            for answer in [address, slots[1]] {
                #expect(try answer.field("verified", as: Bool.self) == isProven, "\(version): \(answer)")
            }
        }
    }

    @Test func questionsWithoutATerminal() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        for arguments in [["unseal"], ["slots", "--show-keys"]] {
            let asked = try await workshop.tapkit(arguments + ["--json"])
            try asked.expectFailure(64, "confirmation_needed")
            #expect(try asked.hint().contains("--yes"))
            let cvc = try await workshop.tapkit(
                arguments + ["--json", "--yes"], environment: ["TAPKIT_CVC_FILE": nil])
            try cvc.expectFailure(77, "cvc_needed")
            #expect(try cvc.hint().contains("--cvc-file"))
        }
        // There is nothing to set up that would need a CVC.
        try await workshop.tapkit("setup", "--json", environment: ["TAPKIT_CVC_FILE": nil]).succeeded()
        let blank = try await Workshop.satscard("--blank")
        try await blank.tapkit("setup", "--json", environment: ["TAPKIT_CVC_FILE": nil])
            .expectFailure(77, "cvc_needed")
        let slots: [[String: Any]] = try await workshop.tapkit("slots", "--json").json().field("slots")
        #expect(try slots[1].text("state") == "sealed")
    }

    /// A wrong CVC opens nothing, is counted, and the delay after three is run off.
    @Test func wrongCVCsOpenNothing() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1", "--wait-ms", "0")
        try workshop.folder.write("000000", to: "wrong")
        for arguments in [["unseal", "--yes"], ["slots", "--show-keys", "--yes"]] {
            try await workshop.tapkit(arguments + ["--json", "--cvc-file", "wrong"]).expectFailure(77, "wrong_cvc")
        }
        let third = try await workshop.tapkit("verify", "--json", "--cvc-file", "wrong")
        try third.expectFailure(77, "wrong_cvc")
        #expect(try third.hint().contains("15 s"))
        #expect(try await workshop.tapkit("status", "--json").json().field("auth_delay_s", as: Int.self) == 15)
        try await workshop.tapkit("address", "--json", environment: ["TAPKIT_CVC_FILE": nil]).succeeded()
        let key = try await workshop.tapkit("unseal", "--yes", "--json").succeeded()
        #expect(key.errorText.contains("Lockout: 15 s left"))
    }
}
