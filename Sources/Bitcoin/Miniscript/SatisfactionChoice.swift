/// Satisfying so many of several expressions, and dissatisfying the others: the smallest way that nobody else can alter,
/// where each can be dissatisfied without a signature, as in every `thresh` whose keys are known.
///
/// Whoever sees a witness can exchange two parts for which no signature is needed: dissatisfy one that was satisfied, and
/// satisfy another one instead. So a part that anybody can satisfy comes before those that take a signature, even if it is
/// larger than they are. Among parts of one kind the size decides. What comes first is satisfied.
///
/// Spec: BIP-379, "Satisfactions and malleability".
struct SatisfactionChoice {
    /// What there is to choose from for one part.
    typealias Ways = (dissatisfied: Satisfaction, satisfied: Satisfaction)

    private let threshold: Int
    private let parts: [Ways]

    /// - Parameters:
    ///   - threshold: how many are to be satisfied, at most as many as there are.
    ///   - parts: in the order of the script.
    init(_ threshold: Int, of parts: [Ways]) {
        (self.threshold, self.parts) = (threshold, parts)
    }

    /// Exactly so many of them.
    var satisfied: Satisfaction {
        let order = parts.enumerated().map { (Priority($1), $0) }.sorted { $0 < $1 }.map { $1 }
        let (chosen, others) = (order.prefix(threshold), order.dropFirst(threshold))
        let canBeExchanged =
            chosen.contains { parts[$0].dissatisfied.isFree } && others.contains { parts[$0].satisfied.isFree }
        let way = sum(satisfying: Set(chosen))
        return canBeExchanged ? way.malleable : way
    }

    /// Any other number of them: none. But if that takes a signature, and anybody can satisfy some instead, anybody's choice.
    var dissatisfied: Satisfaction {
        let most = parts.count { $0.satisfied.isFree }
        func anybodyCanSatisfy(atLeast fewest: Int) -> Bool {
            (fewest..<(most + 1)).contains { $0 != threshold }
        }
        let none = sum(satisfying: [])
        let way = anybodyCanSatisfy(atLeast: 1) ? none.malleable : none
        guard !way.isFree, parts.allSatisfy({ $0.dissatisfied.isFree || $0.satisfied.isFree }) else { return way }
        return anybodyCanSatisfy(atLeast: parts.count { !$0.dissatisfied.isFree }) ? .anyonesChoice : way
    }

    private func sum(satisfying chosen: Set<Int>) -> Satisfaction {
        parts.indices.reversed().reduce(.nothing) { sum, index in
            sum + (chosen.contains(index) ? parts[index].satisfied : parts[index].dissatisfied)
        }
    }

    /// How soon a part is satisfied rather than another one.
    private struct Priority: Comparable {
        /// In this order.
        private enum Kind: Int {
            case cannotBeDissatisfied
            case takesSignatureToDissatisfy
            case isFreeToSatisfy
            case isMalleableWhenDissatisfied
            case takesSignature
            case isMalleableWhenSatisfied
            case cannotBeSatisfied
        }

        private let kind: Kind
        /// How many bytes satisfying it takes more than dissatisfying it.
        private let addedSize: Int

        init(_ part: Ways) {
            let (dissatisfied, satisfied) = part
            addedSize = satisfied.size - dissatisfied.size
            kind =
                if !dissatisfied.isPossible {
                    .cannotBeDissatisfied
                } else if !satisfied.isPossible {
                    .cannotBeSatisfied
                } else if satisfied.isFree {
                    dissatisfied.hasSignature ? .takesSignatureToDissatisfy : .isFreeToSatisfy
                } else if satisfied.isMalleable {
                    .isMalleableWhenSatisfied
                } else {
                    dissatisfied.isMalleable ? .isMalleableWhenDissatisfied : .takesSignature
                }
        }

        static func < (one: Self, other: Self) -> Bool {
            (one.kind.rawValue, one.addedSize) < (other.kind.rawValue, other.addedSize)
        }
    }
}
