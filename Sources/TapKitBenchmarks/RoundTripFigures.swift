import Bitcoin
import TapManager
import TapProtocol
import TapSimulator

/// How many exchanges each command needs with the card, from the first SELECT on, compared with the maker's reference
/// client. Counted without "unlucky numbers", each of which costs both one more.
struct RoundTripFigures {
    /// What a command does on a card whose status is known.
    private typealias Command = @Sendable (CardStatus, CardDriver) async throws -> Void

    private struct Figure {
        let name: String
        /// The card, in a few words.
        let card: String
        let options: SimulatedCardOptions
        /// How many the reference client needs, if it has the command.
        let reference: Int?
        let command: Command
    }

    private static let cvcText = "123456"
    private static let chainCode = BenchmarkWallet.chainCode

    private let version: TapSimulator.AppletVersion

    init(version: TapSimulator.AppletVersion) { self.version = version }

    /// Counts and prints all figures.
    func run() async throws {
        print(
            "Round trips, applet \(version.rawValue), including SELECT, with a store that has not seen the card; "
                + "the reference client's in parentheses")
        for figure in try figures() {
            let count = try await count(figure)
            let reference = figure.reference.map { " (\($0))" } ?? ""
            print("  \(figure.name), \(figure.card): \(count)\(reference)")
        }
    }

    private func count(_ figure: Figure) async throws -> Int {
        let simulated = try SimulatedCard(figure.options, waitDuration: .zero)
        let reader = SimulatedReader(card: simulated)
        let root = try simulated.record.rootKey
        if figure.options.product != .satscard, figure.name != "setup" {
            try await run(Self.setUpSigner, on: reader, root: root)
        }
        // A new process would begin here.
        reader.resetCounts()
        try await run(figure.command, on: reader, root: root)
        return reader.exchangeCounts.values.reduce(0, +)
    }

    private func run(_ command: Command, on reader: SimulatedReader, root: PublicKey) async throws {
        let card = TapCard(reader: reader)
        let status = try await card.perform { $0.status }
        let driver = CardDriver(
            card: card, ident: status.ident, customRoots: [root], journal: .inMemory(of: status.ident))
        try await command(status, driver)
        await card.disconnect()
    }

    private func options(
        _ product: SimulatedProduct, usedSlots: Int = 0, isBlank: Bool = false
    ) -> SimulatedCardOptions {
        var options = SimulatedCardOptions(product: product)
        options.network = .test
        options.version = version
        options.cvc = Self.cvcText
        options.seed = [1]
        options.unluckyPercent = 0
        options.usedSlots = usedSlots
        options.isBlank = isBlank
        return options
    }

    private func figures() throws -> [Figure] {
        let cvc = try CVC(Self.cvcText)
        let verify: Command = { _ = try await VerifyFlow(driver: $1, cvc: nil).run() }
        let slots: Command = { _ = try await SlotsFlow(driver: $1, cvc: nil).all() }
        let setUp: Command = {
            _ = try await NextSlotFlow(driver: $1, cvc: cvc, chainCode: Self.chainCode, isChainCodeNamed: false).run()
        }
        let unseal: Command = { _ = try await UnsealFlow(driver: $1, cvc: cvc).run(UnsealPlan(for: $0)) }
        let address: Command = { _ = try await SlotsFlow(driver: $1, cvc: nil).one(nil) }
        let status: Command = { _ = try await $1.prove() }
        let (tapsigner, fresh) = (options(.tapsigner), options(.satscard))
        return [
            Figure(name: "status", card: "TAPSIGNER", options: tapsigner, reference: 3, command: status),
            Figure(name: "status", card: "SATSCARD, sealed slot", options: fresh, reference: 8, command: status),
            Figure(
                name: "status", card: "SATSCARD, blank", options: options(.satscard, isBlank: true), reference: nil,
                command: status),
            Figure(name: "verify", card: "TAPSIGNER", options: tapsigner, reference: 5, command: verify),
            Figure(name: "verify", card: "SATSCARD", options: fresh, reference: 7, command: verify),
            Figure(name: "address", card: "SATSCARD", options: fresh, reference: 8, command: address),
            Figure(name: "slots", card: "SATSCARD, new", options: fresh, reference: nil, command: slots),
            Figure(
                name: "slots", card: "SATSCARD, 5 unsealed", options: options(.satscard, usedSlots: 5), reference: nil,
                command: slots),
            Figure(
                name: "slots", card: "SATSCARD, full", options: options(.satscard, usedSlots: 10), reference: nil,
                command: slots),
            Figure(name: "unseal", card: "SATSCARD", options: fresh, reference: 4, command: unseal),
            Figure(
                name: "unseal, shown again", card: "SATSCARD", options: options(.satscard, usedSlots: 1, isBlank: true),
                reference: nil, command: unseal),
            Figure(
                name: "setup", card: "SATSCARD, next slot", options: options(.satscard, usedSlots: 1, isBlank: true),
                reference: 10, command: setUp),
            Figure(
                name: "setup", card: "TAPSIGNER with backup", options: tapsigner, reference: nil,
                command: Self.setUpSigner),
        ]
    }

    private static let setUpSigner: Command = { _, driver in
        let goal = SetupFlow.Goal(
            path: BenchmarkWallet.account, chainCode: chainCode, isChainCodeNamed: true, newCVC: nil)
        _ = try await SetupFlow(driver: driver, cvc: CVC(cvcText), goal: goal).run { _ in }
    }
}
