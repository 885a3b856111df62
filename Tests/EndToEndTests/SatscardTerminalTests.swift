import Foundation
import TestSupport
import Testing

/// A SATSCARD's questions on a terminal.
@Suite struct SatscardTerminalTests {
    private static let asked: [String: String?] = ["TAPKIT_CVC_FILE": nil]

    private func states(_ workshop: Workshop) async throws -> [String] {
        let slots: [[String: Any]] = try await workshop.tapkit("slots", "--json").succeeded().json().field("slots")
        return try slots.prefix(3).map { try $0.text("state") }
    }

    /// The question names slot and card, and comes before the CVC is asked for.
    @Test(arguments: ["n", "", "ja", "\u{4}"]) func onlyYesOpensASlot(_ answer: String) async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, "unseal", environment: Self.asked)
        let question = try await terminal.shows("[y/N]")
        #expect(
            question.contains("Permanently unseal slot 1") && question.contains(workshop.ident))
        #expect(!question.contains("CVC"))
        terminal.type(answer == "\u{4}" ? answer : answer + "\n")
        try await terminal.shows("Cancelled. Nothing was changed.")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.output.isEmpty)
        #expect(try await states(workshop) == ["sealed", "unused", "unused"])
    }

    @Test func controlCAtTheQuestionOpensNothing() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, "unseal")
        try await terminal.shows("[y/N]")
        terminal.type("\u{3}")
        // The question stays on the screen.
        let rest = try await terminal.shows("Cancelled. Nothing was changed.")
        #expect(rest.utf8.contains(UInt8(ascii: "\n")))
        #expect(try await terminal.ending() == .exited(130))
        #expect(try await states(workshop) == ["sealed", "unused", "unused"])
    }

    /// The key goes to standard output alone, which is not the terminal here.
    @Test func yesOpensTheSlotAndSetsUpTheNext() async throws {
        let workshop = try await Workshop.satscard()
        let address = try await workshop.tapkit("address", "--json").json().text("address")
        let terminal = try Terminal(workshop, "unseal", environment: Self.asked)
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        var screen = try await terminal.shows("CVC of card \(workshop.ident)")
        #expect(!terminal.echoes)
        terminal.type(Workshop.satscardCVC + "\n")
        screen += try await terminal.shows("Set up slot 2 now")
        #expect(terminal.output.contains("Address: \(address)"))
        terminal.type("yes\n")
        #expect(try await terminal.ending() == .exited(0))
        terminal.type("end\n")
        screen += try await terminal.shows("end")

        #expect(try await states(workshop) == ["unsealed", "sealed", "unused"])
        let next = try await workshop.tapkit("address", "--json").json().text("address")
        #expect(terminal.output.contains("slot 2 is sealed") && terminal.output.contains("Address: \(next)"))
        let again = try await workshop.tapkit("slots", "--show-keys", "--yes", "--json").json()
        let wif = try (again.field("slots") as [[String: Any]])[0].text("wif")
        #expect(terminal.output.contains("Key (WIF): \(wif)"))
        for secret in [wif, Workshop.satscardCVC] { #expect(!screen.contains(secret)) }
    }

    @Test func theNextSlotIsOnlyOffered() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, "unseal")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("Set up slot 2 now")
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("Key (WIF): "))
        #expect(try await states(workshop) == ["unsealed", "unused", "unused"])
    }

    /// A no to the warning about a card that cannot prove its slots leaves the next one out; the key was shown.
    @Test func theNextSlotOfACardWithoutProofsCanBeLeftOut() async throws {
        let workshop = try await Workshop.satscard("--applet", "0.9.0")
        let terminal = try Terminal(workshop, "unseal")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("Set up slot 2 now")
        terminal.type("y\n")
        let warning = try await terminal.shows("Set up a slot of this card anyway? [y/N]")
        #expect(warning.contains("Nothing will prove the address of the new slot"))
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("Key (WIF): "))
        #expect(try await states(workshop) == ["unsealed", "unused", "unused"])
    }

    /// Neither behind the last slot, nor with `--yes`, which answered another question.
    @Test(arguments: [["--used-slots", "9"], []]) func whereThereIsNoOffer(_ options: [String]) async throws {
        let workshop = try await Workshop(
            isSetUp: false, ["--product", "satscard"] + options, cvc: Workshop.satscardCVC)
        let terminal = options.isEmpty ? try Terminal(workshop, "unseal", "--yes") : try Terminal(workshop, "unseal")
        if !options.isEmpty {
            try await terminal.shows("[y/N]")
            terminal.type("y\n")
        }
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("Key (WIF): "))
        let status = try await workshop.tapkit("status", "--json").json()
        #expect(status["address"] == nil)
    }

    @Test func keysAreShownAfterAYesOnly() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1")
        let refused = try Terminal(workshop, "slots", "--show-keys", environment: Self.asked)
        try await refused.shows("Show the private keys of unsealed slots on this screen? [y/N]")
        refused.type("n\n")
        #expect(try await refused.ending() == .exited(130))
        #expect(refused.output.isEmpty)

        let terminal = try Terminal(workshop, "slots", "--show-keys", environment: Self.asked)
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("CVC of card ")
        terminal.type(Workshop.satscardCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("   1  UNSEALED") && terminal.output.contains("Key (WIF): "))
    }

    /// A card that is used up: the question names the slot and its address, and claims no slot to be sealed.
    @Test(arguments: ["1.0.0", "1.0.3"]) func aUsedUpCardsLastKeyIsShownAgain(_ version: String) async throws {
        let workshop = try await Workshop.satscard("--used-slots", "10", "--applet", version)
        let slots: [[String: Any]] = try await workshop.tapkit("slots", "--json").succeeded().json().field("slots")
        let address = try #require(slots.last).text("address")
        let terminal = try Terminal(workshop, "unseal", environment: Self.asked)
        let question = try await terminal.shows("Show the private key of slot 10 on this screen? [y/N]")
        #expect(question.contains("Slot 10 of \(workshop.ident)") && question.contains(address))
        #expect(!question.contains("still sealed"))
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.output.isEmpty)
    }

    /// A wrong CVC that was typed opens nothing, and is not shown.
    @Test func aWrongCVCIsSaid() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, "unseal", "--yes", environment: Self.asked)
        try await terminal.shows("CVC of card ")
        terminal.type("135790\n")
        let screen = try await terminal.shows("2 more wrong tries")
        terminal.type("\u{4}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(!screen.contains("135790"))
        #expect(try await states(workshop) == ["sealed", "unused", "unused"])
    }
}
