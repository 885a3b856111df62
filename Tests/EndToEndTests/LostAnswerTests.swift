import Foundation
import Synchronization
import TapSimulator
import TestSupport
import Testing

/// Whatever ends `tapkit` or takes the card away while a slot is opened or set up: the next run finds what the card did.
@Suite struct LostAnswerTests {
    /// A card that holds its breath at a command, before or after it has done it.
    private final class HesitantCard: Sendable {
        /// Where the card is.
        private enum Moment { case before, waiting, released }

        private let card: SimulatedCard
        private let mark: [UInt8]
        private let acts: Bool
        private let moment = Mutex(Moment.before)

        /// - Parameters:
        ///   - command: the command, as the wire names it.
        ///   - acts: whether the card has done it when it stops.
        init(_ workshop: Workshop, at command: String, acts: Bool) throws {
            card = try SimulatedCard(path: workshop.cardFile)
            mark = [0x60 + UInt8(command.utf8.count)] + Array(command.utf8)
            self.acts = acts
        }

        func powerOn() { try? card.powerOn() }

        func answer(_ apdu: [UInt8]) -> CardReply {
            guard Data(apdu).range(of: Data(mark)) != nil, moment.withLock({ $0 == .before }) else {
                return .answer(card.process(apdu: apdu))
            }
            if acts { _ = card.process(apdu: apdu) }
            moment.withLock { $0 = .waiting }
            while moment.withLock({ $0 != .released }) { usleep(1_000) }
            return .vanish
        }

        func hesitates() async throws {
            for _ in 0..<3_000 {
                if moment.withLock({ $0 == .waiting }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("The card never got the command.")
        }

        func letGo() { moment.withLock { $0 = .released } }
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let verb: String
        let command: String
        let acts: Bool
        var testDescription: String { "\(verb), \(acts ? "after" : "before") the card acted" }
    }

    private static let cases = [("unseal", "unseal"), ("setup", "new")].flatMap { verb, command in
        [true, false].map { Case(verb: verb, command: command, acts: $0) }
    }

    /// Starts a verb and waits until the card hesitates.
    private func interrupted(
        _ one: Case, _ options: [String] = [],
        _ body: @escaping @Sendable (InteractiveProcess, HesitantCard, VirtualCard) async throws -> Void
    ) async throws -> Workshop {
        let workshop = try await Workshop(
            isSetUp: false,
            ["--product", "satscard", "--used-slots", "2"] + (one.verb == "setup" ? ["--blank"] : []),
            cvc: Workshop.satscardCVC)
        try await VirtualReaderSlot.withLease { slot in
            let card = try HesitantCard(workshop, at: one.command, acts: one.acts)
            let virtual = VirtualCard(port: slot.port, power: { card.powerOn() }, answer: { card.answer($0) })
            defer {
                card.letGo()
                virtual.pull()
            }
            let reader: [String: String?] = ["TAPKIT_READER": "pcsc:\(slot.readerName)"]
            try await insert(virtual) {
                try await workshop.tapkit("status", "--wait=4", environment: reader).status == 0
            }
            let running = try workshop.start([one.verb, "--yes", "--json"] + options, environment: reader)
            try await card.hesitates()
            try await body(running, card, virtual)
        }
        return workshop
    }

    /// Lays the card on the reader, as a person would: once more when nothing is seen, for a busy service overlooks a
    /// card that comes just after another one was torn away.
    private func insert(_ card: VirtualCard, until isSeen: () async throws -> Bool) async throws {
        for _ in 0..<6 {
            try card.insert()
            if try await isSeen() { return }
            card.pull()
            try await Task.sleep(for: .seconds(1))
        }
        Issue.record("The service does not see the card.")
    }

    /// The next run does what was left to do, and has the same slot.
    private func expectFound(_ one: Case, in workshop: Workshop) async throws {
        let shown: [[String: Any]] = try await workshop.tapkit("sim", "show", "card.json", "--json").json().field(
            "slots")
        let acted = one.verb == "unseal" ? "unsealed" : "sealed"
        #expect(try shown[2].text("state") == (one.acts ? acted : one.verb == "unseal" ? "sealed" : "unused"))
        let found = try await workshop.tapkit(one.verb, "--yes", "--json").succeeded().json()
        #expect(try found.field("slot", as: Int.self) == 3)
        let now: [[String: Any]] = try await workshop.tapkit("sim", "show", "card.json", "--json").json().field("slots")
        #expect(try now.prefix(4).map { try $0.text("state") } == ["unsealed", "unsealed", acted, "unused"])
        #expect(try found.text("address") == now[2].text("address"))
        if one.verb == "unseal" {
            #expect(try found.field("opened_before", as: Bool.self) == one.acts)
            let slots: [[String: Any]] =
                try await workshop.tapkit("slots", "--show-keys", "--yes", "--json").succeeded().json().field("slots")
            #expect(try slots[2].text("wif") == found.text("wif"))
        }
    }

    @Test(arguments: cases) private func tapkitIsKilled(_ one: Case) async throws {
        let workshop = try await interrupted(one) { running, _, _ in
            let ending = try await running.stop(signal: SIGKILL)
            #expect(ending == .signalled(SIGKILL))
            #expect(running.text.isEmpty)
        }
        try await expectFound(one, in: workshop)
    }

    @Test(arguments: cases) private func theCardIsTakenAway(_ one: Case) async throws {
        let workshop = try await interrupted(one) { running, card, _ in
            card.letGo()
            #expect(try await running.ending() == .exited(75))
            let error: [String: Any] = try running.json().field("error")
            #expect(try ["card_removed", "no_card", "card_reset"].contains(error.text("code")), "\(error)")
            #expect(try !error.text("hint").isEmpty)
        }
        try await expectFound(one, in: workshop)
    }

    /// With `--wait` the person has only to lay the card back.
    @Test(arguments: cases) private func theCardIsLaidBack(_ one: Case) async throws {
        _ = try await interrupted(one, ["--wait=120"]) { running, card, virtual in
            card.letGo()
            try await running.errorText(contains: "Card removed")
            // pcscd looks for a card every 400 ms, and must have seen that there is none.
            try await Task.sleep(for: .milliseconds(800))
            try virtual.insert()
            #expect(try await running.ending() == .exited(0), "\(running.text)\(running.errorText)")
            #expect(try running.json().field("slot", as: Int.self) == 3)
        }
    }
}
