/// An option of HWI's command line: how it is written, what it takes, and what it is for.
package struct HWIOption: Sendable, Equatable {
    /// What follows an option.
    package enum Value: Sendable, Equatable {
        /// Nothing.
        case flag
        /// Anything.
        case text(String)
        /// A secret, which is never shown.
        case secret(String)
        /// A whole number.
        case number(String)
        /// One of these words, in upper or lower case.
        case choice(String, [String])

        /// Its name in help texts; `nil`: nothing follows.
        package var name: String? {
            switch self {
            case .flag: nil
            case .text(let name), .secret(let name), .number(let name), .choice(let name, _): name
            }
        }
    }

    /// The long names, without hyphens.
    package let long: [String]
    /// The one-letter name.
    package let short: Character?
    package let value: Value
    /// Whether all values count, not only the last one.
    package let isRepeatable: Bool
    /// Whether it is tapkit's own and unknown to HWI. Such an option cannot be abbreviated, so that HWI's abbreviations
    /// stay unambiguous.
    package let isOurs: Bool
    package let help: String

    init(
        _ long: String..., short: Character? = nil, value: Value = .flag, isRepeatable: Bool = false,
        isOurs: Bool = false,
        help: String
    ) {
        (self.long, self.short, self.value) = (long, short, value)
        (self.isRepeatable, self.isOurs, self.help) = (isRepeatable, isOurs, help)
    }

    /// The key of its values.
    package var key: String { long.first ?? "" }

    /// Its name in HWI's error messages.
    var title: String { "--\(key)" + (short.map { "/-\($0)" } ?? "") }

    var isSecret: Bool { if case .secret = value { true } else { false } }
}

/// A positional argument of a command.
package struct HWIOperand: Sendable, Equatable {
    /// What it accepts.
    package enum Kind: Sendable, Equatable {
        case text
        /// Free text, which may start like an option.
        case freeText
        /// A whole number.
        case number
    }

    package let name: String
    package let kind: Kind
    package let help: String

    init(_ name: String, _ kind: Kind = .text, help: String) { (self.name, self.kind, self.help) = (name, kind, help) }
}
