import Bitcoin
import TapManager
import TextLayout

extension PolicyTemplate {
    /// What it does, in a few words without a period.
    package var summary: String {
        switch self {
        case .decaying: "several keys; once a coin is old, fewer of them are enough"
        case .expanding: "several keys; once a coin is old, additional keys may sign as well"
        case .inheritance: "your keys; once a coin is old, the keys of your heirs instead"
        case .recovery: "your keys; once a coin is old, recovery keys that you keep elsewhere"
        }
    }

    /// What can go wrong with it, in two sentences.
    package var risks: String {
        switch self {
        case .decaying:
            """
            Once a coin is that old, fewer keys can spend it, and so can a thief who has only those. Every coin has its \
            own clock, so move each one before its time is over, or the weaker rule protects it from then on.
            """
        case .expanding:
            """
            Once a coin is that old, an additional key can replace one of yours, for its holder as well as for a thief. \
            Until then the additional keys do not help, so nobody can spend if you lose more keys than you can spare.
            """
        case .inheritance:
            """
            Once a coin is that old, your heirs can spend it without you, even while you live, so move each coin before \
            its time is over. They find the money only if they have the wallet's descriptor as well as their keys, so \
            give them its kit now.
            """
        case .recovery:
            """
            Once a coin is that old, whoever finds the recovery keys can spend it, so keep them as safe as money and move \
            each coin before its time is over. If you lose your own keys, the money stays where it is until that time.
            """
        }
    }
}

extension TemplatePolicy {
    /// How long the later path stays closed to a coin: `26280 blocks, about 6 months`.
    package var wait: String { Self.wait(blocks) }

    /// The same for a number of blocks.
    package static func wait(_ blocks: Int) -> String {
        let days = (Int64(blocks) * TimeLock.secondsPerBlock + 43_200) / 86_400
        let months = (days * 12 + 182) / 365
        let time = days < 60 ? SpendingTerms.time(ofBlocks: blocks) : "about \(months.counted("month"))"
        return "\(Int64(blocks).counted("block")), \(time)"
    }
}
