import ArgumentParser
import Bitcoin

extension PolicyTemplate: ExpressibleByArgument {}

/// A new wallet's policy: a template, and what it is filled with.
struct PolicyOptions: ParsableArguments {
    @Option(
        name: .customLong("policy"),
        help: ArgumentHelp(
            "Make the wallet from a policy: \(PolicyTemplate.allCases.map(\.rawValue).joined(separator: ", ")) "
                + "(tapkit help policies).", valueName: "name"))
    var template: PolicyTemplate?

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp(
            "With --policy: a key that can spend at any time (repeatable). A file from tapkit export cosigner or bsms, "
                + "the key itself, [fingerprint/path]xpub…, or card:TEXT for a card that the local store knows.",
            valueName: "key"), completion: .file())
    var keys: [String] = []

    @Option(
        name: [.customLong("later-key"), .customLong("heir")],
        help: ArgumentHelp(
            "With --policy: a key that can spend only later (repeatable); named like --key.", valueName: "key"),
        completion: .file())
    var laterKeys: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --policy: how many signatures are needed later; default: 1 if only 1 is possible.",
            valueName: "number"))
    var laterThreshold: Int?

    @Option(
        help: ArgumentHelp(
            "With --policy: how old a coin must be for the later keys, in blocks (26280) or days (180d).",
            valueName: "time"))
    var after: String?

    /// Whether anything is given that needs a template.
    var hasContent: Bool { !keys.isEmpty || !laterKeys.isEmpty || laterThreshold != nil || after != nil }
}

/// How old a coin must be, as it is typed.
enum PolicyAge {
    private static let blocksPerDay = 144

    /// A number of blocks, or of days with `d`.
    /// - Throws: `Failure.usage`, also for more blocks than a relative lock can count.
    static func blocks(_ text: String) throws(Failure) -> Int {
        let days = text.hasSuffix("d") ? Int(text.dropLast()) : nil
        let blocks = days.map { $0.multipliedReportingOverflow(by: blocksPerDay) }
        let most = TemplatePolicy.maximumBlocks
        guard let count = blocks.map(\.partialValue) ?? Int(text), blocks?.overflow != true, (1...most).contains(count)
        else {
            throw Failure(
                .usage,
                "A coin's age is 1 to \(most) blocks, or 1d to \(most / blocksPerDay)d, not “\(text)”.")
        }
        return count
    }
}
