import Bitcoin

/// What was said to a command: the values of options and operands, each of which is of its kind.
struct HWIValues: Sendable {
    private var texts: [String: [String]] = [:]
    /// What `--password` gave.
    private(set) var password: SecretBytes?

    /// Whether an option was given.
    func has(_ option: HWIOption) -> Bool { texts[option.key] != nil }

    /// What an option was given last; `nil`: it was not given.
    func text(_ option: HWIOption) -> String? { texts[option.key]?.last }

    /// Everything that an option was given.
    func texts(_ option: HWIOption) -> [String] { texts[option.key] ?? [] }

    /// What an option that takes a number was given last; `nil`: it was not given.
    func number(_ option: HWIOption) -> Int? { text(option).flatMap { Int($0) } }

    /// What stands in an operand's place.
    func text(_ operand: HWIOperand) -> String { texts[operand.name]?.last ?? "" }

    /// The number that stands in an operand's place.
    func number(_ operand: HWIOperand) -> Int { Int(text(operand)) ?? 0 }

    mutating func add(_ text: String, to option: HWIOption) {
        texts[option.key] = (option.isRepeatable ? texts(option) : []) + [text]
    }

    mutating func add(_ text: String, to operand: HWIOperand) { texts[operand.name] = [text] }

    mutating func take(password: SecretBytes) { self.password = password }
}
