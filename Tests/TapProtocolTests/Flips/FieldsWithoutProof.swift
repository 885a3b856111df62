import LyingCards
import TapSimulator

@testable import TapProtocol

/// The fields of which a step proves nothing, so that one altered byte goes unnoticed. A changed result is allowed only
/// where the altered byte lies in one of them; no decision about money may rest on one.
///
/// A byte is altered by accident. Whoever rewrites answers with a purpose can have more believed: `WordOfWhoeverAnswers`.
struct FieldWithoutProof: Sendable {
    let name: String
    /// Why nothing proves it.
    let reason: String
    /// Whether the field's absence says something too, so that its key is altered with it.
    var isOptional = false

    /// The fields of one answer, and the name of their list.
    /// - Parameters:
    ///   - command: the answer's, `select` for SELECT.
    ///   - step: the step's name: what is unproven behind SELECT is partly proven by what follows.
    ///   - habits: the card's.
    static func list(
        for command: String, in step: String, on habits: Set<CardHabit>
    ) -> (name: String, fields: [FieldWithoutProof]) {
        let name = "\(step): \(command)"
        let ofHabits = habits.contains(.derivedKeySigns) ? withDerivedKeySigning[name] ?? [] : []
        if let fields = byStep[name] { return (name, fields + ofHabits) }
        return (ofHabits.isEmpty ? command : name, (byCommand[command] ?? []) + ofHabits)
    }

    /// What the master key would have signed for, on cards whose derived key signs `derive`.
    static let withDerivedKeySigning: [String: [FieldWithoutProof]] = [
        "account: derive": [masterKey], "setPath: derive": [masterKey], "account, then probe: derive": [masterKey],
        "setPath, then probe: derive": [masterKey],
    ]

    private static let masterKey = FieldWithoutProof(
        name: "master_pubkey", reason: "it did not sign; `xpub` and the opened backup show it")

    /// For each command.
    static let byCommand: [String: [FieldWithoutProof]] = [
        "select": lasting + passing + identity, "status": lasting + passing,
    ]

    /// Where it depends on the step.
    static let byStep: [String: [FieldWithoutProof]] = [
        "select, then proveCard: select": lasting + [
            FieldWithoutProof(
                name: "ver", reason: "a word of the card; what a version must prove is then missing", isOptional: true),
            FieldWithoutProof(
                name: "birth", reason: "a word of the card, compared with later ones", isOptional: true),
            FieldWithoutProof(name: "satschip", reason: "a word of the card", isOptional: true),
            FieldWithoutProof(
                name: "testnet", reason: "proven by a slot's address only; a signer has none", isOptional: true),
        ],
        "account: derive": [derivedKey], "setPath: derive": [derivedKey],
        "xpub: xpub": [extendedKey], "test: xpub": [extendedKey],
        "backup: backup": [
            FieldWithoutProof(name: "data", reason: "the path line; the key is compared with the proven one")
        ],
        "wait: wait": [delay], "wait with CVC: wait": [delay],
        "tapURL: nfc": [FieldWithoutProof(name: "url", reason: "`tapLink` proves it, `tapURL` does not look")],
        "dump of an opened slot without CVC: dump": [
            FieldWithoutProof(name: "pubkey", reason: "optional, and only a word of the card", isOptional: true)
        ],
        "dump of an opened slot with CVC: dump": [
            FieldWithoutProof(name: "tampered", reason: "a word of the card", isOptional: true)
        ],
    ]

    private static let derivedKey = FieldWithoutProof(
        name: "pubkey", reason: "the signature is about the chain code; `probe` proves both")

    private static let extendedKey = FieldWithoutProof(
        name: "xpub", reason: "the word of whoever answers; `probe` proves it")

    private static let delay = FieldWithoutProof(name: "auth_delay", reason: "a word of the card; a try tells")

    /// The card's state.
    private static let lasting = [
        FieldWithoutProof(
            name: "path", reason: "a word of the card; only the opened backup proves which it is", isOptional: true),
        FieldWithoutProof(name: "num_backups", reason: "a word of the card", isOptional: true),
        FieldWithoutProof(name: "slots", reason: "`read` proves which slot is active when it is used"),
        FieldWithoutProof(name: "addr", reason: "`read` proves it when it is used", isOptional: true),
    ]

    /// What is wrong with the card.
    private static let passing = [
        FieldWithoutProof(name: "auth_delay", reason: "a word of the card; a try tells", isOptional: true),
        FieldWithoutProof(name: "tampered", reason: "a word of the card", isOptional: true),
    ]

    /// What is compared with the first answer, so that only that one can lie.
    private static let identity = [
        FieldWithoutProof(name: "ver", reason: "a word of the card", isOptional: true),
        FieldWithoutProof(name: "birth", reason: "a word of the card", isOptional: true),
        FieldWithoutProof(name: "satschip", reason: "a word of the card", isOptional: true),
        FieldWithoutProof(name: "pubkey", reason: "`check` and `certs` prove it"),
        FieldWithoutProof(
            name: "testnet", reason: "`read` shows the network; a signer's keys are the same on each", isOptional: true),
    ]

    /// Whether the byte at an offset of an answer is one of these fields'; its name.
    static func name(
        of offset: Int, in anatomy: AnswerAnatomy, among fields: [FieldWithoutProof]
    ) -> String? {
        guard let field = anatomy.field(at: offset), let known = fields.first(where: { $0.name == field.name }),
            known.isOptional || field.value.contains(offset)
        else { return nil }
        return known.name
    }
}
