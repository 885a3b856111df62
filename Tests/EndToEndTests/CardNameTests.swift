import Foundation
import TestSupport
import Testing

/// What people call their cards.
@Suite struct CardNameTests {
    @Test func aNameStandsBesideTheIdent() async throws {
        let workshop = try await Workshop()
        let named = try await workshop.tapkit("card", "name", String(workshop.ident.prefix(11)), "Blue card", "--json")
            .succeeded().json()
        #expect(try named.text("ident") == workshop.ident && named.text("name") == "Blue card")
        #expect(try await workshop.tapkit("status", "--json").succeeded().json().text("name") == "Blue card")
        let beside = "\(workshop.ident) “Blue card”"
        #expect(try await workshop.tapkit("setup", "--json").succeeded().json().text("name") == "Blue card")
        for verb in ["status", "readers", "verify", "setup"] {
            #expect(try await workshop.tapkit(verb).succeeded().text.contains(beside), "\(verb)")
        }
        let psbt = try await workshop.writePSBT()
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        let listed: [[String: Any]] = try await workshop.tapkit("tx", "list", "--json").succeeded().json()
            .field("transactions")
        let signers: [[String: Any]] = try #require(listed.first).field("next_signers")
        #expect(signers.map { $0["ident"] as? String } == [workshop.ident])
        #expect(signers.map { $0["name"] as? String } == ["Blue card"])
        #expect(try listed.first?.field("can_sign") == psbt.inputs[0].derivations.map(\.fingerprint.description))
        let removed = try await workshop.tapkit("card", "name", workshop.ident, "--remove", "--json").succeeded().json()
        #expect(removed["name"] == nil)
        #expect(try await workshop.tapkit("status", "--json").succeeded().json()["name"] == nil)
    }

    /// Without an ident, the card on the reader is meant, also one that was never seen before.
    @Test func theCardOnTheReaderIsNamed() async throws {
        let workshop = try await Workshop(isSetUp: false)
        let named = try await workshop.tapkit("card", "name", "Blue card", "--json").succeeded().json()
        #expect(try named.text("ident") == workshop.ident && named.text("name") == "Blue card")
        try await workshop.tapkit("card", "name", "x", "--card", "ZZZZZ-ZZZZZ", "--json").expectFailure(75, "no_card")
        // An ident is no name: the name was forgotten.
        try await workshop.tapkit("card", "name", String(workshop.ident.prefix(5)), "--json")
            .expectFailure(64, "usage")
        #expect(try await workshop.tapkit("status", "--json").succeeded().json().text("name") == "Blue card")
        let removed = try await workshop.tapkit("card", "name", "--remove", "--json").succeeded().json()
        #expect(try removed.text("ident") == workshop.ident && removed["name"] == nil)
    }

    @Test func whatIsNoNameIsRefused() async throws {
        let workshop = try await Workshop()
        func name(_ arguments: String...) async throws -> Subprocess {
            try await workshop.tapkit(["card", "name"] + arguments + ["--json"])
        }
        try await name().expectFailure(64, "usage")
        try await name(workshop.ident).expectFailure(64, "usage")
        try await name(workshop.ident, "x", "--remove").expectFailure(64, "usage")
        try await name(workshop.ident, "a“b").expectFailure(65, "bad_argument")
        try await name(workshop.ident, "a\u{1B}[2J").expectFailure(65, "bad_argument")
        try await name("NOBODY", "x").expectFailure(65, "bad_argument")
        #expect(try await name(workshop.ident, "").succeeded().json()["name"] == nil)
    }
}
