/// The order of inputs and outputs, chosen so that it does not reveal which output is change.
public enum TransactionOrder: Hashable, Sendable {
    /// A random order.
    case random
    /// Inputs by transaction id and index, outputs by value and script.
    ///
    /// Spec: BIP-69.
    case bip69

    func arranged(_ coins: [Coin], using generator: inout some RandomNumberGenerator) -> [Coin] {
        switch self {
        case .random: coins.shuffled(using: &generator)
        case .bip69:
            coins.sorted { one, other in
                let (left, right) = (one.outpoint, other.outpoint)
                guard left.transactionID == right.transactionID else {
                    // By the ids as shown to people.
                    return left.transactionID.bytes.reversed()
                        .lexicographicallyPrecedes(right.transactionID.bytes.reversed())
                }
                return left.index < right.index
            }
        }
    }

    func arranged(_ outputs: [Payment], using generator: inout some RandomNumberGenerator) -> [Payment] {
        switch self {
        case .random: outputs.shuffled(using: &generator)
        case .bip69:
            outputs.sorted { one, other in
                guard one.amount == other.amount else { return one.amount < other.amount }
                return one.scriptPubKey.bytes.lexicographicallyPrecedes(other.scriptPubKey.bytes)
            }
        }
    }
}
