import Foundation
import TapSimulator
import TestSupport
import Testing

/// Another card is laid down in the middle of a job.
@Suite struct WrongCardTests {
    /// It is named, nothing is asked of it, and the job goes on with the right one.
    @Test(arguments: ReaderKind.allCases) func withWaitTheRightOneIsAskedFor(_ kind: ReaderKind) async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        let before = try other.holdings()
        let card = try SimulatedCard(path: workshop.cardFile, signDuration: .milliseconds(60))
        let stranger = try SimulatedCard(path: other.cardFile)
        try await CardStand.lend(kind, with: card) { stand in
            let signing = try await workshop.signingInTheMiddle(on: stand.spec, ["--wait"]) { _ in stand.pull() }
            try await signing.errorText(contains: "Card removed. Put \(workshop.ident) (SIMULATED) back")
            try await stand.lay(stranger)
            try await signing.errorText(contains: "Wrong card: \(other.ident)")
            try await signing.errorText(contains: "Put \(workshop.ident) (SIMULATED) on the reader")
            stand.pull()
            try await stand.lay(card)
            #expect(try await signing.ending() == .exited(0), "\(signing.text)\(signing.errorText)")
            #expect(try signing.json()["signed"] as? Int == 40)
            #expect(try signing.json()["complete"] as? Bool == true)
        }
        #expect(try other.holdings() == before)
    }

    @Test(arguments: ReaderKind.allCases) func withoutWaitItEndsTheJob(_ kind: ReaderKind) async throws {
        let (workshop, other) = (try await Workshop(), try await Workshop())
        try await workshop.writePSBT(inputs: 3)
        let (card, stranger) = (try SimulatedCard(path: workshop.cardFile), try SimulatedCard(path: other.cardFile))
        try await CardStand.lend(kind, with: card) { stand in
            let terminal = try Terminal(
                workshop, "sign", "tx.psbt", "--json", environment: ["TAPKIT_READER": stand.spec])
            try await terminal.shows("[y/N]")
            stand.pull()
            try await stand.lay(stranger)
            try await stand.waitUntilSeen()
            terminal.type("y\n")
            #expect(try await terminal.ending() == .exited(75))
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(terminal.output.utf8)) as? [String: Any])
            let error: [String: Any] = try document.field("error")
            #expect(try ["another_card", "card_removed"].contains(error.text("code")), "\(error)")
            #expect(try document.field("progress", as: [String: Int].self) == ["done": 0, "total": 3])
        }
    }
}
