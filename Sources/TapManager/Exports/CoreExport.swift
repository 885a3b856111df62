import Bitcoin
import ByteCodec

/// A wallet for Bitcoin Core's `importdescriptors`: a JSON array with one request for each branch.
///
/// Source: Bitcoin Core, `help importdescriptors`. Multipath descriptors are split, which every version reads.
package struct CoreExport: Sendable {
    private let source: ExportSource
    private let start: RescanStart
    /// How many addresses of each branch Core is told to watch at first: its own default, and the most that it takes.
    static let addressCounts = 1_000...1_000_000

    /// An export of a wallet.
    /// - Parameter start: from when on Core scans for payments.
    package init(_ source: ExportSource, start: RescanStart) {
        self.source = source
        self.start = start
    }

    /// The argument of `importdescriptors`.
    package var text: String {
        // Core has one active descriptor for each type of address and branch: the wallet's first one of each.
        var taken: Set<String> = []
        // A branch that appears twice is written once: Core would let the second request deactivate what the first
        // activated.
        var written: Set<String> = []
        let requests = source.wallet.branches.compactMap { branch -> JSONText? in
            let descriptor = source.wallet.descriptors[branch.descriptor].branches[branch.number]
            guard let text = descriptor.text, written.insert(text).inserted else { return nil }
            let type = descriptor.expression.outputType
            let isActive = branch.isRanged && type.map { taken.insert("\($0) \(branch.isChange)").inserted } ?? false
            var members: [JSONText.Member] = [
                ("desc", .string(text)), ("active", .bool(isActive)), ("internal", .bool(branch.isChange)),
                ("timestamp", timestamp),
            ]
            if branch.isRanged {
                members.insert(("range", .array([.number(0), .number(source.addressCount - 1)])), at: 3)
            }
            return .object(members)
        }
        return JSONText.array(requests).lines
    }

    private var timestamp: JSONText {
        switch start {
        case .now: .string("now")
        case .time(let time): .number(time.seconds)
        }
    }
}

extension Descriptor.Expression {
    /// Core's name for the type of address; `nil` for types without one.
    fileprivate var outputType: String? {
        switch self {
        case .pkh: "legacy"
        case .sh(.wpkh), .sh(.wsh): "p2sh-segwit"
        case .sh: "legacy"
        case .wpkh, .wsh: "bech32"
        case .tr: "bech32m"
        case .pk, .combo, .multi, .miniscript, .address, .raw: nil
        }
    }
}
