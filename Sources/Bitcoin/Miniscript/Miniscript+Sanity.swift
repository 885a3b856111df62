/// Limits of P2WSH and of tapscript.
///
/// Spec: Bitcoin Core, `policy/policy.h`, `script/script.h`, `script/miniscript.h`.
enum MiniscriptLimits {
    /// The longest witness script that nodes relay, in bytes.
    static let scriptLength = 3_600
    /// The most items of a witness that nodes relay, without the script.
    static let items = 100
    /// The most operations of a script that can be executed.
    static let operations = ScriptExecution.maximumOperationCount

    /// The most keys of `multi_a`.
    ///
    /// Spec: BIP-387.
    static let tapscriptKeys = 999
    /// The longest tapscript that can be spent in a transaction that nodes relay, in bytes: of its weight, the largest stack and
    /// control block, one input, one output, and the script's length are taken off.
    static let tapscriptLength = TransactionWeight.largest - 378 - (3 + 1_000 * 66 + 3 + 33 + 128 * 32) - 5
}

extension Miniscript {
    /// Why money should not be sent to this expression; `nil` if it is safe: it can be spent within the network's limits,
    /// only with signatures, and nobody else can alter the spending.
    ///
    /// That no key appears twice is known only of keys that can be compared: see the other `fault`.
    ///
    /// Spec: BIP-379, "Malleability", "Timelock mixing", "Resource limitations"; Bitcoin Core, `IsSane`.
    public var fault: MiniscriptError? {
        guard type.contains(.base) else { return .notBase }
        guard resources.scriptLength <= context.maximumScriptLength else {
            return .scriptTooLong(resources.scriptLength, limit: context.maximumScriptLength)
        }
        if let excess { return excess }
        guard resources.satisfaction != nil else { return .unsatisfiable }
        guard type.contains(.safe) else { return .needsNoSignature }
        guard type.contains(.nonmalleable) else { return .malleable }
        guard type.contains(.unmixed) else { return .mixedLocks }
        return ineffectiveLock.map { .ineffectiveLock($0) }
    }

    /// What satisfying it can take too much of.
    private var excess: MiniscriptError? {
        guard let cost = resources.satisfaction else { return nil }
        switch context {
        case .p2wsh:
            let operations = resources.operations + cost.operations
            guard operations <= MiniscriptLimits.operations else { return .tooManyOperations(operations) }
            return cost.items <= MiniscriptLimits.items ? nil : .tooManyItems(cost.items)
        case .tapscript:
            let items = largestStack ?? 0
            return items <= ScriptStack.maximumCount ? nil : .tooManyStackItems(items)
        }
    }

    /// The most items on the stack while the script of an expression of kind B is satisfied; `nil` if it cannot be.
    var largestStack: Int? { resources.stack.satisfied.map { $0.peak + 1 } }

    /// A relative lock that has other bits than count.
    ///
    /// Spec: BIP-68. Bitcoin Core allows it.
    private var ineffectiveLock: UInt32? {
        guard !type.isDisjoint(with: [.relativeHeight, .relativeTime]) else { return nil }
        var found: UInt32?
        visit { if case .older(let number) = $0, TimeLock.isIneffective(number) { found = number } }
        return found
    }

    /// The same, where keys count as the same that have the same `identity`.
    func fault(comparing identity: (Key) -> some Hashable) -> MiniscriptError? {
        if let fault { return fault }
        let keys = keys
        return Set(keys.map(identity)).count == keys.count ? nil : .repeatedKey
    }

    /// The most that satisfying adds to a witness, in bytes: every item with its length, without the number of items and
    /// without the script. Signatures count 72 bytes, more than cards make; in tapscript 65. `nil` if it cannot be satisfied.
    public var largestSatisfaction: Int? { resources.satisfaction?.bytes }
}
