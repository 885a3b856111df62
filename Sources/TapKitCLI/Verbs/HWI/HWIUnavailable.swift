import ArgumentParser

/// A command of HWI's that no card can carry out. The options are read and of no effect.
protocol HWIUnavailable: HWICommand {
    /// Why not, as a sentence.
    static var reason: String { get }
}

extension HWIUnavailable {
    func answer(_ session: HWISession) async throws -> HWISuccess {
        _ = try await session.device(for: "find out its fingerprint")
        throw HWIError(.unavailableAction, Self.reason)
    }
}

/// `hwi wipe`
struct HWIWipe: HWIUnavailable {
    static let configuration = CommandConfiguration(
        commandName: "wipe", abstract: "Not available: a card's key cannot be erased.")
    static let reason = "The card does not support wiping: its key is for good."
    @OptionGroup var globals: HWIGlobals
}

/// `hwi restore`
struct HWIRestore: HWIUnavailable {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Not available: a card takes no key from outside.")
    static let reason =
        "The card does not support restoring: it takes no key from outside. tapkit recover sign signs with a backup."
    @OptionGroup var globals: HWIGlobals
    @Option(name: [.customLong("word_count"), .customShort("w")], help: "Of no effect.") var wordCount = 24
    @Option(name: [.customLong("label"), .customShort("l")], help: "Of no effect.") var label = ""
}

/// `hwi promptpin`
struct HWIPromptPin: HWIUnavailable {
    static let configuration = CommandConfiguration(
        commandName: "promptpin", abstract: "Not available: the CVC is asked for when it is needed.")
    static let reason = "The card does not need a PIN sent from the host: the CVC goes with each command."
    @OptionGroup var globals: HWIGlobals
}

/// `hwi togglepassphrase`
struct HWITogglePassphrase: HWIUnavailable {
    static let configuration = CommandConfiguration(
        commandName: "togglepassphrase", abstract: "Not available: a card has no passphrase.")
    static let reason = "The card does not support passphrases."
    @OptionGroup var globals: HWIGlobals
}

/// `hwi sendpin`
struct HWISendPin: HWIUnavailable {
    static let configuration = CommandConfiguration(
        commandName: "sendpin", abstract: "Not available: the CVC is asked for when it is needed.")
    static let reason = "The card does not need a PIN sent from the host: the CVC goes with each command."
    @OptionGroup var globals: HWIGlobals
    @Argument(help: "Of no effect.") var pin: String
}
