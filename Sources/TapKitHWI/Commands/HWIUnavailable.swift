/// One of HWI's commands that no card supports. Its options are parsed and ignored.
protocol HWIUnavailable: HWICommand {
    /// The reason, as a sentence.
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
    static let reason = "The card does not support wiping: its key cannot be erased."

    init(_ values: HWIValues) {}
}

/// `hwi restore`
struct HWIRestore: HWIUnavailable {
    static let grammar = HWIGrammar(
        "restore", abstract: "Not available: a key cannot be loaded onto a card.",
        options: [
            HWIOption("word_count", short: "w", value: .number("word_count"), help: "Ignored."),
            HWIOption("label", short: "l", value: .text("label"), help: "Ignored."),
        ])
    static let reason =
        "The card does not support restoring: a key cannot be loaded onto it. To sign with a backup, use tapkit recover sign."

    init(_ values: HWIValues) {}
}

/// `hwi promptpin`
struct HWIPromptPin: HWIUnavailable {
    static let grammar = HWIGrammar(
        "promptpin",
        abstract: "Not available: you are asked for the CVC when it is needed.")
    static let reason = "The card does not need a PIN sent from the host: the CVC is sent with each command."

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
        "sendpin", abstract: "Not available: you are asked for the CVC when it is needed.",
        operands: [HWIOperand("pin", help: "Ignored.")])
    static let reason = "The card does not need a PIN sent from the host: the CVC is sent with each command."

    init(_ values: HWIValues) {}
}
