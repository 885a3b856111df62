/// A command of HWI's that no card can carry out. The options are read and of no effect.
protocol HWIUnavailable: HWICommand {
    /// Why not, as a sentence.
    static var reason: String { get }
}

extension HWIUnavailable {
    func answer(_ session: HWISession) async throws -> HWISuccess {
        _ = try await session.device(to: "find out its fingerprint")
        throw HWIError(.unavailableAction, Self.reason)
    }
}

/// `hwi wipe`
struct HWIWipe: HWIUnavailable {
    static let grammar = HWIGrammar("wipe", abstract: "Not available: a card's key cannot be erased.")
    static let reason = "The card does not support wiping: its key is for good."

    init(_ values: HWIValues) {}
}

/// `hwi restore`
struct HWIRestore: HWIUnavailable {
    static let grammar = HWIGrammar(
        "restore", abstract: "Not available: a card takes no key from outside.",
        options: [
            HWIOption("word_count", short: "w", value: .number("word_count"), help: "Of no effect."),
            HWIOption("label", short: "l", value: .text("label"), help: "Of no effect."),
        ])
    static let reason =
        "The card does not support restoring: it takes no key from outside. tapkit recover sign signs with a backup."

    init(_ values: HWIValues) {}
}

/// `hwi promptpin`
struct HWIPromptPin: HWIUnavailable {
    static let grammar = HWIGrammar("promptpin", abstract: "Not available: the CVC is asked for when it is needed.")
    static let reason = "The card does not need a PIN sent from the host: the CVC goes with each command."

    init(_ values: HWIValues) {}
}

/// `hwi togglepassphrase`
struct HWITogglePassphrase: HWIUnavailable {
    static let grammar = HWIGrammar("togglepassphrase", abstract: "Not available: a card has no passphrase.")
    static let reason = "The card does not support passphrases."

    init(_ values: HWIValues) {}
}

/// `hwi sendpin`
struct HWISendPin: HWIUnavailable {
    static let grammar = HWIGrammar(
        "sendpin", abstract: "Not available: the CVC is asked for when it is needed.",
        operands: [HWIOperand("pin", help: "Of no effect.")])
    static let reason = "The card does not need a PIN sent from the host: the CVC goes with each command."

    init(_ values: HWIValues) {}
}
