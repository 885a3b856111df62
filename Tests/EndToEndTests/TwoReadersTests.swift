import Foundation
import TestSupport
import Testing

/// Two readers with a card on each: which one is meant, and both at work at the same time.
@Suite struct TwoReadersTests {
    @Test func whichCardIsMeant() async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        let sandbox = try await PCSCSandbox(card: first.cardFile, second.cardFile)
        @Sendable func status(_ options: String...) async throws -> Subprocess {
            let roots: [String: String?] = ["TAPKIT_READER": nil, "TAPKIT_ROOT_KEY": first.rootKey]
            return try await sandbox.run(
                Subprocess.tapkit, ["status", "--json"] + options, environment: first.environment.merging(roots) { $1 },
                directory: first.folder.url)
        }
        let unclear = try await status("--reader", "pcsc")
        let error: [String: Any] = try unclear.expectFailure(65, "ambiguous_card").field("error")
        let message = try error.text("message")
        for part in [first.ident, second.ident, "pcsc:Virtual PCD 00 00", "pcsc:Virtual PCD 00 01"] {
            #expect(message.contains(part), "\(message)")
        }
        #expect(try error.text("hint").contains("--reader") && error.text("hint").contains("--card"))

        for (number, workshop) in [("00 00", first), ("00 01", second)] {
            #expect(try await status("--reader", "pcsc:\(number)").succeeded().json().text("ident") == workshop.ident)
            let card = String(workshop.ident.prefix(5)).lowercased()
            #expect(try await status("--card", card).succeeded().json().text("ident") == workshop.ident)
            let other = number == "00 00" ? second : first
            let absent = try await status("--reader", "pcsc:\(number)", "--card", other.ident)
            let error: [String: Any] = try absent.expectFailure(75, "no_card").field("error")
            #expect(try error.text("message").contains("\(workshop.ident) (SIMULATED) on pcsc:Virtual PCD \(number)"))
        }
        // A chip beside them is not in question: one --reader, one kind.
        let third = try await Workshop()
        try await ServedCard.lay(third, on: .nfc) { card in
            #expect(try await status("--reader", card.spec).succeeded().json().text("ident") == third.ident)
            try await status("--reader", "pcsc").expectFailure(65, "ambiguous_card")
        }
    }

    /// While one card is waited for in the middle of its job, the other one's job is done from beginning to end.
    @Test func twoServiceReadersWorkAtTheSameTime() async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        try await first.writePSBT(inputs: 40)
        try await second.writePSBT(inputs: 40)
        let sandbox = try await PCSCSandbox(
            card: first.cardFile, second.cardFile, serving: ["--pull-at", "25:after"])
        func sign(_ workshop: Workshop, _ number: String) throws -> InteractiveProcess {
            try sandbox.start(
                Subprocess.tapkit,
                ["sign", workshop.folder.path("tx.psbt"), "--yes", "--json", "--wait", "--reader", "pcsc:\(number)"],
                environment: workshop.environment)
        }
        let waiting = try sign(first, "00 00")
        try await waiting.errorText(contains: "Card removed")
        let other = try sign(second, "00 01")
        #expect(try await other.ending() == .exited(0), "\(other.text)\(other.errorText)")
        #expect(try other.json()["signed"] as? Int == 40)
        #expect(waiting.isRunning)
        #expect(try await waiting.stop(signal: SIGINT) == .exited(130))
        let progress: [String: Int] = try waiting.json().field("progress")
        #expect(try (1..<40).contains(#require(progress["done"])))
    }

    @Test(arguments: [[ReaderKind.nfc, .nfc], [.pcsc, .nfc]])
    func oneCardThatIsAwayHoldsUpNobodyElse(_ kinds: [ReaderKind]) async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        try await second.writePSBT(inputs: 40)
        try await ServedCard.lay(first, on: kinds[0], signMilliseconds: 60) { one in
            try await ServedCard.lay(second, on: kinds[1]) { other in
                let waiting = try await one.signingInTheMiddle("--wait") { _ in try one.pull() }
                try await waiting.errorText(contains: "Card removed")
                let done = try await second.tapkit("sign", "tx.psbt", "--yes", "--json", environment: other.reader)
                #expect(try done.succeeded().json()["signed"] as? Int == 40)
                #expect(waiting.isRunning)
                try await one.layBack()
                #expect(try await waiting.ending() == .exited(0), "\(waiting.text)\(waiting.errorText)")
                #expect(try waiting.json()["signed"] as? Int == 40)
            }
        }
    }

    /// A libnfc reader is one program's at a time: the second is told whose, and may wait.
    @Test func twoProgramsAtOneChip() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: .nfc, signMilliseconds: 60) { card in
            let first = try await card.signingInTheMiddle("--wait") { _ in try card.pull() }
            try await first.errorText(contains: "Card removed")
            let second = try await workshop.tapkit("status", "--json", environment: card.reader)
            let error: [String: Any] = try second.expectFailure(69, "reader_busy").field("error")
            #expect(try error.text("message").contains("process \(first.identifier)"), "\(error)")

            let patient = try card.start(["sign", "tx.psbt", "-o", "second.psbt", "--yes", "--json", "--wait=60"])
            try await patient.errorText(contains: "Put the card on the reader")
            #expect(first.isRunning && patient.isRunning)
            try await card.layBack()
            #expect(try await first.ending() == .exited(0), "\(first.text)\(first.errorText)")
            #expect(try await patient.ending() == .exited(0), "\(patient.text)\(patient.errorText)")
            #expect(try first.json()["signed"] as? Int == 40)
            #expect(try await patient.json().expectComplete(inputs: 40) == first.json().expectComplete(inputs: 40))
        }
    }

    /// A verb that waited has let go of the reader, in good order, when it ends: the next one finds it as it should be.
    @Test(arguments: ReaderKind.allCases) func oneAfterTheOther(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind) { card in
            for _ in 0..<(kind == .pcsc ? 3 : 8) {
                try card.pull()
                let waiting = try card.start(["status", "--wait=60"])
                try await waiting.errorText(contains: "Put the card on the reader")
                try await card.layBack()
                #expect(try await waiting.ending() == .exited(0), "\(waiting.text)\(waiting.errorText)")
                try await workshop.tapkit("status", environment: card.reader).succeeded()
            }
        }
    }
}
