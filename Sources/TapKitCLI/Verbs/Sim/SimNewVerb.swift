import ArgumentParser
import ByteCodec
import TapSimulator
import Terminal
import TextLayout

/// `tapkit sim new`: creates a simulated card.
struct SimNewVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a simulated card; its state is kept in FILE.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file for the card's state. It must not exist yet.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("tapsigner, satscard or satschip.", valueName: "product"))
    var product = "tapsigner"

    @Option(help: ArgumentHelp("The applet's version: 0.9.0, 1.0.0, 1.0.2 or 1.0.3.", valueName: "version"))
    var applet: String?

    @Option(help: ArgumentHelp("The CVC that is printed on the card; default: random.", valueName: "digits"))
    var cvc: String?

    @Option(
        help: ArgumentHelp(
            "Make the card reproducible: all its randomness comes from this seed.", valueName: "hex"))
    var seed: String?

    @Option(help: ArgumentHelp("The percentage of signatures that fail with error 205.", valueName: "percent"))
    var unlucky = 12

    @Option(
        help: ArgumentHelp(
            "SATSCARD: how many slots are already unsealed; 10: a used-up card.", valueName: "count"))
    var usedSlots = 0

    @Flag(help: "SATSCARD: no slot has a key yet.")
    var blank = false

    @Flag(help: "Certify the card with the simulator's second root, which represents a development root.")
    var devRoot = false

    @Flag(help: "The card reports tampering. SATSCARD: the active slot has unsealed itself.")
    var tampered = false

    @Option(
        name: .customLong("wait-ms"),
        help: ArgumentHelp("How long a wait command takes, 0 to 60000; 1000 on a real card.", valueName: "ms"))
    var waitMilliseconds = CardDelays().waitMilliseconds

    @Option(
        name: .customLong("sign-ms"),
        help: ArgumentHelp(
            "Extra time that a signature takes, 0 to 60000; about 300 on a real card.",
            valueName: "ms"))
    var signMilliseconds = CardDelays().signMilliseconds

    @Flag(help: "Sign derive with the derived key, like the maker's emulator; cards use the master key.")
    var derivedKeySigns = false

    @Option(
        help: ArgumentHelp(
            "Deviate from the documentation as some genuine cards may; repeatable. One of: "
                + CardHabit.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "name"),
        completion: .list(CardHabit.allCases.map(\.rawValue)))
    var habit: [String] = []

    private struct Answer: Encodable {
        let file: String
        let product: String
        let cvc: String
        let rootKey: String
        let aesKey: String?
        let ident: String
        let network: String
        let simulated = true
    }

    func run() async throws {
        let record = try SimulatedCardRecord(creating: try cardOptions(), at: file)
        let answer = Answer(
            file: file, product: record.product.rawValue, cvc: record.cvc, rootKey: try record.rootKey.description,
            aesKey: record.aesKey, ident: try record.ident, network: record.network.rawValue)
        let backupKey = answer.aesKey.map { "  Backup key (printed on the card's back): \($0)" }
        let reader = ShellWord.quoted("sim:\(file)")
        let lines =
            [
                "\(SimulatedMark.text)\(answer.product.uppercased()) \(answer.ident) created: \(file)",
                "  CVC: \(answer.cvc)",
            ]
            + [backupKey].compactMap(\.self) + ["  Factory root: \(answer.rootKey)", "Try it:"]
        options.console.answer(
            answer,
            screen: lines.map { ScreenLine($0) }
                + [ScreenLine(whole: "  tapkit --reader \(reader) --root-key \(answer.rootKey) status")])
    }

    private func cardOptions() throws -> SimulatedCardOptions {
        var card = SimulatedCardOptions(product: try Self.choice(product, "product"))
        // A card knows bitcoin and one test network, which stands for all of them.
        if let network = try options.network() { card.network = network == .main ? .main : .test }
        if let applet { card.version = try Self.choice(applet, "applet version") }
        if let seed {
            guard let bytes = try? Hex.decode(seed) else {
                throw SimulatedCardError(.badOptions, "The seed is not hexadecimal.")
            }
            card.seed = bytes
        }
        card.cvc = cvc
        card.unluckyPercent = unlucky
        card.usedSlots = usedSlots
        card.isBlank = blank
        card.isTampered = tampered
        card.delays = CardDelays(waitMilliseconds: waitMilliseconds, signMilliseconds: signMilliseconds)
        card.signsDeriveWithDerivedKey = derivedKeySigns
        for name in habit { card.habits.insert(try Self.choice(name, "habit")) }
        if devRoot { card.factory = .development }
        return card
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ what: String
    ) throws(SimulatedCardError) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw SimulatedCardError(.badOptions, "Unknown \(what) “\(text)”. Choose from: \(choices).")
    }
}
