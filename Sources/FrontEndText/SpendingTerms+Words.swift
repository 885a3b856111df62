import Bitcoin
import TapManager
import TextLayout

extension WalletSpendingPath {
    /// Who can take the path, and when: see `SpendingTerms.words`.
    package var words: String { terms.words }
}

extension SpendingTerms {
    /// Who can take the path, and when, in one line: `2 of 0f056943, 2a1b3c4d, 5e6f7a8b`,
    /// `5e6f7a8b, 52560 blocks (about 365 days) after the coin was confirmed`.
    package var words: String { ([signers] + locks + hashes).filter { !$0.isEmpty }.joined(separator: ", ") }

    private var signers: String {
        groups.map { group in
            let names = group.keys.map(\.name)
            return group.threshold == names.count
                ? names.joined(separator: " and ") : "\(group.threshold) of \(names.joined(separator: ", "))"
        }.joined(separator: ", and ")
    }

    private var locks: [String] {
        let ages = older.map { lock in
            let count = Int64(TimeLock.count(lock))
            return TimeLock.isTime(lock)
                ? "\(Self.days(count * TimeLock.secondsPerUnit)) after the coin was confirmed"
                : "\(count.counted("block")) (\(Self.days(count * TimeLock.secondsPerBlock))) after the coin was confirmed"
        }
        return ages
            + after.map { lock in
                TimeLock.isDate(lock)
                    ? "after \(UnixTime(seconds: Int64(lock)).iso8601)" : "after block \(lock)"
            }
    }

    private var hashes: [String] { preimages.map { "with the preimage of \($0.function.rawValue)" } }

    /// How long so many blocks take on average: `about 9 days`.
    package static func time(ofBlocks count: Int) -> String { days(Int64(count) * TimeLock.secondsPerBlock) }

    private static func days(_ seconds: Int64) -> String {
        let hours = (seconds + 1_800) / 3_600
        if hours < 2 { return "about \(((seconds + 30) / 60).counted("minute"))" }
        return hours < 48 ? "about \(hours.counted("hour"))" : "about \(((hours + 12) / 24).counted("day"))"
    }
}

extension SpendingTerms.Key {
    /// The master key's fingerprint, or the beginning of the key.
    package var name: String {
        switch self {
        case .holder(let fingerprint): fingerprint.description
        case .bytes([]): "a key"
        case .bytes(let bytes): "the key \(Script(bytes).abbreviated)"
        }
    }
}
