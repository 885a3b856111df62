import ArgumentParser
import TapProtocol
import TapSimulator

/// `tapkit sim show`: what a simulated card holds.
struct SimShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a simulated card's contents; secrets only with --show-keys.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The card's file.", completion: .file())
    var file: String

    @Flag(help: "Also show the CVC and the keys.")
    var showKeys = false

    private struct Answer: Encodable {
        struct Slot: Encodable {
            let slot: Int
            let state: String
            let address: String?
        }

        let file: String
        let product: String
        let ident: String
        let version: String
        let network: String
        let birthHeight: Int
        let rootKey: String
        let path: String?
        let backups: Int?
        let authDelayS: Int
        let wrongAttempts: Int
        let tampered: Bool
        let waitMs: Int
        let signMs: Int
        let habits: [String]
        let slots: [Slot]?
        let cvc: String?
        let aesKey: String?
        let xprv: String?
        let simulated = true
    }

    func run() async throws {
        let record = try SimulatedCardRecord(path: file)
        let answer = Answer(
            file: file, product: record.product.rawValue, ident: try record.ident,
            version: record.version.rawValue, network: record.network.rawValue, birthHeight: record.birthHeight,
            rootKey: try record.rootKey.description, path: record.path?.description, backups: record.backups,
            authDelayS: record.authDelay, wrongAttempts: record.wrongAttempts, tampered: record.isTampered,
            waitMs: record.delays.waitMilliseconds, signMs: record.delays.signMilliseconds,
            habits: record.habits.map(\.rawValue),
            slots: try record.slots?.map {
                .init(slot: SlotNumber(index: $0.number).forPeople, state: $0.state.rawValue, address: $0.address)
            },
            cvc: showKeys ? record.cvc : nil, aesKey: showKeys ? record.aesKey : nil,
            xprv: showKeys ? try record.masterKey : nil)
        options.console.answer(answer, Self.lines(answer))
    }

    private static func lines(_ answer: Answer) -> [String] {
        var lines = [
            "\(SimulatedMark.text)\(answer.product.uppercased()) \(answer.ident)",
            "  Version \(answer.version), \(answer.network) network, made at block \(answer.birthHeight)",
            "  Factory root: \(answer.rootKey)",
        ]
        if let path = answer.path { lines.append("  Path: \(path)") }
        if let backups = answer.backups { lines.append("  Backups: \(backups)") }
        lines.append("  Delays: \(answer.waitMs) ms for a wait, \(answer.signMs) ms extra for a signature")
        if !answer.habits.isEmpty { lines.append("  Habits: \(answer.habits.joined(separator: ", "))") }
        if answer.tampered { lines.append("  Reports tampering") }
        lines.append("  Wrong CVCs in a row: \(answer.wrongAttempts), lockout: \(answer.authDelayS) s")
        lines += (answer.slots ?? []).map { slot in
            "  Slot \(slot.slot): \(slot.state)" + (slot.address.map { " \($0)" } ?? "")
        }
        if let cvc = answer.cvc { lines.append("  CVC: \(cvc)") }
        if let key = answer.aesKey { lines.append("  Backup key: \(key)") }
        if let key = answer.xprv { lines.append("  Master key: \(key)") }
        return lines
    }
}
