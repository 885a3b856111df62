import Bitcoin
import ByteCodec

/// A wallet as Bitcoin Core's `importdescriptors` takes it: a JSON array with one request for each branch.
///
/// Source: Bitcoin Core, `help importdescriptors`. Multipath descriptors are written apart, which every version reads.
package struct CoreExport: Sendable {
    private let source: ExportSource
    private let start: RescanStart
    /// How many addresses of each branch Core is to watch at first, as many as it does by itself.
    private static let lookahead: Int64 = 1_000

    /// An export of a wallet.
    /// - Parameter start: from when on Core looks for money.
    package init(_ source: ExportSource, start: RescanStart) {
        self.source = source
        self.start = start
    }

    /// The argument of `importdescriptors`.
    package var text: String {
        // Core has one active descriptor for each type of address and branch: the wallet's first one of each.
        var taken: Set<String> = []
        // A branch that comes twice is written once: by the second request Core would deactivate what the first activated.
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
            if branch.isRanged { members.insert(("range", .array([.number(0), .number(Self.lookahead - 1)])), at: 3) }
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
    /// Core's name of the type of address; `nil` for those that it has no name for.
    fileprivate var outputType: String? {
        switch self {
        case .pkh: "legacy"
        case .sh(.wpkh), .sh(.wsh): "p2sh-segwit"
        case .sh: "legacy"
        case .wpkh, .wsh: "bech32"
        case .tr: "bech32m"
        case .pk, .combo, .multi, .address, .raw: nil
        }
    }
}
