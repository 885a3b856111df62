import Foundation
import TestSupport
import Testing

/// Cards that nobody should trust: of an unknown or a development factory, or tampered with as they say themselves.
@Suite struct DistrustTests {
    private static let verbs = [
        ["verify"], ["slots"], ["slots", "--show-keys", "--yes"], ["address"], ["setup"], ["unseal", "--yes"],
    ]

    /// Nothing but `status` works on a card whose root nobody named, and nothing happens to it.
    @Test(arguments: [[], ["--dev-root"]]) func aCardOfAnotherFactoryIsNotUsed(_ options: [String]) async throws {
        let workshop = try await Workshop(
            isSetUp: false, ["--product", "satscard"] + options, cvc: Workshop.satscardCVC)
        let stranger: [String: String?] = ["TAPKIT_ROOT_KEY": nil]
        let other: [String: String?] = [
            "TAPKIT_ROOT_KEY": try await Workshop(isSetUp: false, options.isEmpty ? ["--dev-root"] : []).rootKey
        ]
        for changes in [stranger, other] {
            for verb in Self.verbs {
                let run = try await workshop.tapkit(verb + ["--json"], environment: changes)
                let document = try run.expectFailure(76, "not_genuine")
                #expect(try verb != ["verify"] || document.field("genuine", as: Bool.self) == false)
            }
            let status = try await workshop.tapkit("status", "--json", environment: changes).succeeded().json()
            #expect(try !status.field("genuine", as: Bool.self) && status.text("root") == "unknown")
            #expect(try status.text("root_key") == workshop.rootKey)
            #expect(status["address"] == nil && status["slot_state"] == nil)
            let words = try await workshop.tapkit("status", environment: changes).succeeded().text
            #expect(words.contains("Genuine: NO") && words.contains("Next: do not use this card"))
            #expect(words.contains("(the simulator's)"), "\(words)")
            let verified = try await workshop.tapkit("verify", environment: changes)
            #expect(verified.errorText.contains("the simulator's root"))
            #expect(!words.contains("Address:"))
            // Its link is signed by its own key, which proves nothing of the maker.
            let link = try await workshop.tapkit("url", environment: changes).succeeded()
            #expect(link.errorText.contains("Not proven: that the card is genuine"), "\(link.errorText)")
        }
        let named = try await workshop.tapkit("unseal", "--yes", "--json").succeeded().json()
        #expect(try named.field("slot", as: Int.self) == 1 && !named.field("opened_before", as: Bool.self))
    }

    /// A tampered SATSCARD opened its own slot: it is shown as tampered with, and nobody is told to pay to it.
    @Test(arguments: ["0.9.0", "1.0.3"]) func aTamperedSatscardIsShownAsSuch(_ version: String) async throws {
        let workshop = try await Workshop.satscard("--tampered", "--applet", version)
        let status = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try status.field("tampered", as: Bool.self))
        #expect(try await workshop.tapkit("status").succeeded().text.contains("TAMPERED WITH"))
        let verified = try await workshop.tapkit("verify")
        #expect((verified.text + verified.errorText).localizedStandardContains("tampered"), "\(verified.text)")
        #expect(verified.status == 76)
        try await workshop.tapkit("verify", "--json").expectFailure(76, "tampered")
        // Nobody is told where to pay to; what is in it can be taken out.
        for verb in ["address", "setup"] {
            let refused = try await workshop.tapkit(verb, "--json", environment: ["TAPKIT_CVC_FILE": nil])
            try refused.expectFailure(76, "tampered")
            #expect(try refused.hint().contains("tapkit sweep --to ADDRESS --all, or else tapkit unseal"))
        }
        let key = try await workshop.tapkit("unseal", "--yes")
        #expect(key.text.contains("TAMPERED WITH"), "\(key.text)\(key.errorText)")
        #expect(key.text.contains("Next: tapkit sweep") && !key.text.contains("tapkit setup"), "\(key.text)")
        #expect(key.errorText.contains("it was TAMPERED WITH"))
        let keys = try await workshop.tapkit("slots", "--show-keys", "--yes")
        #expect(keys.text.contains("TAMPERED WITH"), "\(keys.text)\(keys.errorText)")
    }

    @Test(arguments: ["tapsigner", "satschip"]) func aTamperedSignerIsShownAsSuch(_ product: String) async throws {
        let workshop = try await Workshop(isSetUp: false, ["--product", product, "--tampered"])
        #expect(try await workshop.tapkit("status", "--json").succeeded().json().field("tampered", as: Bool.self))
        let status = try await workshop.tapkit("status").succeeded()
        let words = status.text
        // Once is enough.
        #expect(!status.errorText.contains("TAMPERED") && words.components(separatedBy: "TAMPERED").count == 2)
        #expect(words.contains("TAMPERED WITH") && words.contains("Next: use another card"))
        // Before anybody is asked for a CVC, old or new.
        try await workshop.tapkit("setup", "--json", environment: ["TAPKIT_CVC_FILE": nil])
            .expectFailure(76, "tampered")
        #expect(try await workshop.tapkit("verify").status == 76)
    }

    @Test func noCardAndAnotherCard() async throws {
        let workshop = try await Workshop.satscard()
        for verb in Self.verbs {
            let absent = try await workshop.tapkit(verb + ["--json", "--card", "ZZZZZ-ZZZZZ"])
            try absent.expectFailure(75, "no_card")
            #expect(try absent.hint().contains("--wait"))
        }
        try await VirtualReaderSlot.withLease { slot in
            for verb in Self.verbs {
                try await workshop.tapkit(verb + ["--json", "--reader", "pcsc:\(slot.readerName)"])
                    .expectFailure(75, "no_card")
            }
        }
    }
}
