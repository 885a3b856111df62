/// An option of HWI's command line: how it is written, what it takes, and what it is for.
package struct HWIOption: Sendable, Equatable {
    /// What follows an option.
    package enum Value: Sendable, Equatable {
        /// Nothing.
        case flag
        /// Anything.
        case text(String)
        /// Something that is never repeated.
        case secret(String)
        /// A whole number.
        case number(String)
        /// One of these words, in capitals or not.
        case choice(String, [String])

        /// What it is called in help texts; `nil`: nothing follows.
        package var name: String? {
            switch self {
            case .flag: nil
            case .text(let name), .secret(let name), .number(let name), .choice(let name, _): name
            }
        }
    }

    /// The names of several letters, without hyphens.
    package let long: [String]
    /// The name of one letter.
    package let short: Character?
    package let value: Value
    /// Whether each value counts, and not only the last one.
    package let isRepeatable: Bool
    /// Whether it is one of tapkit's own, which HWI does not know. Such an option is not shortened, so that what is certain
    /// for HWI stays so.
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

    /// What its values are kept under.
    package var key: String { long.first ?? "" }

    /// As HWI names it in what it says about a command line.
    var title: String { "--\(key)" + (short.map { "/-\($0)" } ?? "") }

    var isSecret: Bool { if case .secret = value { true } else { false } }
}

/// What a command takes without an option's name, in its place.
package struct HWIOperand: Sendable, Equatable {
    /// What may stand there.
    package enum Kind: Sendable, Equatable {
        case text
        /// Anybody's words, which may begin as an option does.
        case freeText
        /// A whole number.
        case number
    }

    package let name: String
    package let kind: Kind
    package let help: String

    init(_ name: String, _ kind: Kind = .text, help: String) { (self.name, self.kind, self.help) = (name, kind, help) }
}
