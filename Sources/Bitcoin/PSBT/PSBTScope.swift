/// The three kinds of map in a PSBT.
public enum PSBTScope: Hashable, Sendable {
    /// The whole transaction.
    case global
    /// One input.
    case input
    /// One output.
    case output
}

/// The map of a PSBT that a field is in: the global one, or that of one input or output.
public enum PSBTMapID: Hashable, Sendable, CustomStringConvertible {
    /// The global map.
    case global
    /// The map of the input with this index, from 0.
    case input(Int)
    /// The map of the output with this index, from 0.
    case output(Int)

    /// The kind of the map.
    public var scope: PSBTScope {
        switch self {
        case .global: .global
        case .input: .input
        case .output: .output
        }
    }

    /// `global map`, `input 3`, `output 0`.
    public var description: String {
        switch self {
        case .global: "global map"
        case .input(let index): "input \(index)"
        case .output(let index): "output \(index)"
        }
    }
}

/// A key type in one map of a PSBT.
public struct PSBTFieldID: Hashable, Sendable, CustomStringConvertible {
    /// The map that the field is in.
    public let map: PSBTMapID
    /// The number that the specification gives to the field in this kind of map.
    public let type: UInt64

    /// - Parameter type: its number in the specification for this kind of map; may be unknown.
    public init(_ map: PSBTMapID, _ type: UInt64) {
        self.map = map
        self.type = type
    }

    /// The name that the BIPs give to the type; `nil` for unknown ones.
    public var name: String? { PSBTFieldFormat(of: type, in: map.scope)?.name }

    /// `input 3: PSBT_IN_PARTIAL_SIG (type 0x02)`.
    public var description: String {
        let digits = String(type, radix: 16)
        return "\(map): \(name ?? "unknown field") (type 0x\(digits.count == 1 ? "0" : "")\(digits))"
    }
}
