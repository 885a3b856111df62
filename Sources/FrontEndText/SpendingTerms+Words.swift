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
    ///
    /// Where there are too many spending paths to list each, every choice that its locks open.
    package var words: String {
        guard let choice else { return ([signers] + locks + hashes).filter { !$0.isEmpty }.joined(separator: ", ") }
        // What follows is a condition of each alternative, and no further one.
        return ([isLocked && !choice.isAnd ? "(\(choice.words))" : choice.words] + locks).joined(separator: ", ")
    }

    private var signers: String {
        groups.map { group in
            let names = group.keys.map(\.name)
            // A holder can have several of the keys.
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            var seen: Set<String> = []
            let listed = names.filter { seen.insert($0).inserted }.map { name in
                counts[name].map { $0 > 1 ? "\(name) (\($0.counted("key")))" : name } ?? name
            }
            return group.threshold == names.count
                ? listed.joined(separator: " and ") : "\(group.threshold) of \(listed.joined(separator: ", "))"
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

extension LockOpening {
    /// When it is: `block 1144, about 2027-01-16`, or of a lock of time `about 2027-01-16`; `nil`: not known.
    package var words: String? {
        let words = [block.map { "block \($0)" }, time.map { "about \($0.isoDate)" }].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension SpendingTerms.Key {
    /// The master key's fingerprint, with the card's name if it has proven the key, or the user's label of it; or the beginning
    /// of the key.
    package var name: String {
        switch self {
        case .holder(let fingerprint): fingerprint.description
        case .card(let fingerprint, let name): "\(fingerprint) “\(name)”"
        case .labelled(let key, let label): "\(key.name) labelled “\(label)”"
        case .bytes([]): "a key"
        case .bytes(let bytes): "the key \(Script(bytes).abbreviated)"
        }
    }
}

extension SpendingPolicy<SpendingTerms.Key> {
    /// Which signatures and preimages are enough: `5e6f7a8b and (0f056943 or 2a1b3c4d) and 2 of (…)`.
    package var words: String {
        switch self {
        case .always, .older, .after: "anybody"
        case .never: "what nobody can have"
        case .key(let key): key.name
        case .preimage(let function, let hash): "the preimage of \(function.rawValue)(\(Script(hash).abbreviated))"
        case .threshold(let threshold, let parts):
            threshold == parts.count
                ? Self.joined(parts, " and ")
                : threshold == 1 ? Self.joined(parts, " or ") : "\(threshold) of \(Self.joined(parts, ", "))"
        }
    }

    /// Whether it takes all of its parts, or has only one.
    fileprivate var isAnd: Bool {
        if case .threshold(let threshold, let parts) = self { threshold == parts.count } else { true }
    }

    private static func joined(_ parts: [Self], _ separator: String) -> String {
        parts.map { part in
            if case .threshold = part { "(\(part.words))" } else { part.words }
        }.joined(separator: separator)
    }
}
