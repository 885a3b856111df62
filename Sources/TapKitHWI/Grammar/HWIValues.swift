import Bitcoin

/// The values of a command's options and operands, each of the right kind.
struct HWIValues: Sendable {
    private var texts: [String: [String]] = [:]
    /// The value of `--password`.
    private(set) var password: SecretBytes?

    /// Whether an option was given.
    func has(_ option: HWIOption) -> Bool { texts[option.key] != nil }

    /// The last value of an option; `nil`: it was not given.
    func text(_ option: HWIOption) -> String? { texts[option.key]?.last }

    /// All values of an option.
    func texts(_ option: HWIOption) -> [String] { texts[option.key] ?? [] }

    /// The last value of a numeric option; `nil`: it was not given.
    func number(_ option: HWIOption) -> Int? { text(option).flatMap { Int($0) } }

    /// An operand's value.
    func text(_ operand: HWIOperand) -> String { texts[operand.name]?.last ?? "" }

    /// A numeric operand's value.
    func number(_ operand: HWIOperand) -> Int { Int(text(operand)) ?? 0 }

    mutating func add(_ text: String, to option: HWIOption) {
        if option.isRepeatable {
            texts[option.key, default: []].append(text)
        } else {
            texts[option.key] = [text]
        }
    }

    mutating func add(_ text: String, to operand: HWIOperand) { texts[operand.name] = [text] }

    mutating func take(password: SecretBytes) { self.password = password }
}
