import Bitcoin
import Testing

/// Random templates, filled with random keys and numbers, and what was asked for.
public struct RandomPolicy: Sendable {
    /// The template.
    public let template: PolicyTemplate
    /// Who can spend at any time.
    public let keys: [PolicyKey]
    /// How many of them must sign.
    public let threshold: Int
    /// Who can spend only later.
    public let laterKeys: [PolicyKey]
    /// How many must sign later; `nil` for `expanding`.
    public let laterThreshold: Int?
    /// How many blocks a coin must be old.
    public let blocks: Int

    /// Numbers of the whole range, and often their ends.
    public init(_ generator: inout SeededGenerator) throws {
        func number(_ range: ClosedRange<Int>) -> Int {
            switch generator.next() % 4 {
            case 0: range.lowerBound
            case 1: range.upperBound
            default: Int.random(in: range, using: &generator)
            }
        }
        let template = PolicyTemplate.allCases.randomElement(using: &generator) ?? .decaying
        let count = number((template == .decaying ? 2 : 1)...7)
        let threshold = number((template == .decaying ? 2 : 1)...count)
        let laterCount = template.hasLaterKeys ? number(1...6) : 0
        let all = try Self.keys(count + laterCount, &generator)
        self.template = template
        self.threshold = threshold
        keys = Array(all.prefix(count))
        laterKeys = Array(all.dropFirst(count))
        laterThreshold =
            switch template {
            case .decaying: number(1...threshold - 1)
            case .expanding: nil
            case .inheritance, .recovery: number(1...laterCount)
            }
        blocks = number(1...TemplatePolicy.maximumBlocks)
    }

    /// The policy.
    public func policy() throws -> TemplatePolicy {
        try TemplatePolicy(
            template, keys: keys, threshold: threshold, laterKeys: laterKeys, laterThreshold: laterThreshold,
            blocks: blocks)
    }

    /// Different keys of different holders, on the test networks.
    public static func keys(_ count: Int, _ generator: inout SeededGenerator) throws -> [PolicyKey] {
        try (0..<count).map { _ in
            let master = try ExtendedPrivateKey(seed: SecretBytes(generator.bytes(32...32)), network: .test)
            let path = try DerivationPath(parsing: "m/48h/1h/\(generator.next() % 9)h/2h")
            return PolicyKey(
                origin: KeyOrigin(fingerprint: master.neutered.fingerprint, path: path),
                key: try master.descendant(path).neutered)
        }
    }
}
