import ByteCodec
import ExplainedErrors

/// One step of a BIP-32 path.
public struct ChildNumber: Hashable, Sendable, CustomStringConvertible {
    private static let hardenedBit: UInt32 = 0x8000_0000

    /// The 32 bits as on the wire: bit 31 set for a hardened step.
    public let rawValue: UInt32

    /// A step from its 32 bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An unhardened step; `nil` when `index` is 2³¹ or more.
    public static func normal(_ index: UInt32) -> Self? {
        index < hardenedBit ? Self(rawValue: index) : nil
    }

    /// A hardened step; `nil` when `index` is 2³¹ or more.
    public static func hardened(_ index: UInt32) -> Self? {
        index < hardenedBit ? Self(rawValue: index | hardenedBit) : nil
    }

    /// Whether the step needs the private key.
    public var isHardened: Bool { rawValue & Self.hardenedBit != 0 }

    /// The number without the hardened bit.
    public var index: UInt32 { rawValue & ~Self.hardenedBit }

    /// Decimal, with `h` after a hardened step.
    public var description: String { isHardened ? "\(index)h" : "\(index)" }
}

/// A BIP-32 path: the steps down from some key.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible, ErrorSubjectValue {
    /// Why a text is not a path.
    public enum ParsingError: Error, Equatable, Sendable {
        /// An empty step, as in `m//0`.
        case emptyStep
        /// A step that is not a number followed by at most one hardened mark.
        case notANumber(String)
        /// A number of 2³¹ or more.
        case outOfRange(String)
        /// More steps than BIP-32 can serialize (255).
        case tooLong
    }

    /// The steps, from the top.
    public var steps: [ChildNumber]

    /// A path of these steps.
    public init(_ steps: some Sequence<ChildNumber> = []) { self.steps = Array(steps) }

    /// Which spellings of a path are accepted.
    public enum Dialect: Sendable {
        /// Decimal numbers; `h`, `H` or `'` after hardened steps.
        case common
        /// Also what the card maker's tools and backups write: `p` and `P` as marks, hexadecimal numbers after `0x`.
        case card

        fileprivate var hardenedMarks: String { self == .common ? "hH'" : "hH'pP" }
    }

    /// Reads `m/84h/0h/0h`, `m`, `84'/0H/0`: the `m/` is optional.
    ///
    /// Spec: BIP-32, "The key tree"; protocol, "Backup file", for the card's dialect.
    public init(parsing text: some StringProtocol, dialect: Dialect = .common) throws(ParsingError) {
        guard !text.hasEndlessLetter else { throw .notANumber(String(decoding: text.utf8.prefix(16), as: UTF8.self)) }
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.first == "m" { parts.removeFirst() }
        guard parts.count <= 255 else { throw .tooLong }
        var steps: [ChildNumber] = []
        for part in parts { steps.append(try Self.step(String(part), dialect: dialect)) }
        self.steps = steps
    }

    private static func step(_ text: String, dialect: Dialect) throws(ParsingError) -> ChildNumber {
        guard let last = text.last else { throw .emptyStep }
        let isHardened = dialect.hardenedMarks.contains(last)
        var digits = isHardened ? text.dropLast() : text[...]
        let isHexadecimal = dialect == .card && digits.hasPrefix("0x")
        if isHexadecimal { digits = digits.dropFirst(2) }
        // `UInt32(_:radix:)` also takes a plus sign.
        guard !digits.isEmpty, digits.allSatisfy({ isHexadecimal ? $0.isHexDigit && $0.isASCII : "0"..."9" ~= $0 })
        else { throw .notANumber(text) }
        guard let index = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let step = isHardened ? ChildNumber.hardened(index) : ChildNumber.normal(index)
        else { throw .outOfRange(text) }
        return step
    }

    /// `m`, then each step after a slash; hardened steps end in `h`.
    public var description: String { (["m"] + steps.map(\.description)).joined(separator: "/") }

    /// The leading hardened steps, and the rest; `nil` when a hardened step follows an unhardened one.
    public var splitAtFirstNormalStep: (hardened: DerivationPath, normal: DerivationPath)? {
        let hardened = steps.prefix { $0.isHardened }
        let rest = steps.dropFirst(hardened.count)
        guard rest.allSatisfy({ !$0.isHardened }) else { return nil }
        return (DerivationPath(hardened), DerivationPath(rest))
    }

    /// This path with another appended.
    public func appending(_ other: DerivationPath) -> DerivationPath { DerivationPath(steps + other.steps) }
}
