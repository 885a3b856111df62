/// How often each step came, and each outcome.
struct Tally {
    private(set) var steps: [String: Int] = [:]
    private(set) var outcomes: [String: Int] = [:]

    var total: Int { steps.values.reduce(0, +) }

    mutating func count(_ step: String, _ outcome: Outcome) {
        steps[step, default: 0] += 1
        outcomes[outcome.kind, default: 0] += 1
    }

    mutating func add(_ other: Tally) {
        steps.merge(other.steps, uniquingKeysWith: +)
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
    }

    /// Names with their counts, in alphabetical order.
    static func text(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    /// What must have come, and did not.
    var missing: [String] {
        Self.requiredSteps.filter { steps[$0] == nil } + Self.requiredOutcomes.filter { outcomes[$0] == nil }
    }

    private static let requiredSteps: [String] =
        [
            "status", "proveCard", "tapURL", "wait", "read", "test", "createKey", "proveMaster", "createSlotKey",
            "proveSlotOrigin", "unseal", "dump", "sign", "signSlot", "probe", "probeSlot", "setPath", "account",
            "extendedKey", "backup", "changeCVC", "disconnect", "cutPower", "pull", "layBack", "swap", "layFirst",
        ]
        + [
            "status", "read", "derive", "certs", "check", "weakNonce", "new", "nfc", "sign", "wait", "unseal", "dump",
            "change", "xpub", "backup", "unknown", "noMap", "unselected",
        ].map { "program \($0)" }

    /// Not `cvc_needed`: no call of the client can be written down without the CVC that it needs.
    private static let requiredOutcomes = [
        "success", "card 205", "card 400", "card 401", "card 403", "card 404", "card 405", "card 406", "card 417",
        "card 422", "card 425", "card 429", "wrong_cvc at", "wrong_cvc delayed", "rate_limited", "bad_cvc",
        "bad_argument", "not_supported", "bad_proof account", "bad_proof chain_code", "bad_proof opened_slot",
        "bad_proof signing_key", "another_card", "not_a_tap_card", "status_word", "reader no_card",
        "reader card_removed",
        "reader transport_failed",
    ]
}
