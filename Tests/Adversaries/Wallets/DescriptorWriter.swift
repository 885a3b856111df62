import Bitcoin
import TestSupport

/// Somebody who writes the descriptors that others make a wallet of: honest ones, or such as pay him.
struct DescriptorWriter {
    /// A descriptor in its parts.
    struct Draft {
        var wrap: String
        var threshold: Int?
        var isSorted = true
        /// `[origin]xpub` of each key.
        var keys: [String]
        /// What stands below each key.
        var steps: [String]

        /// The descriptor.
        var text: String { text(steps: steps) }

        /// The descriptor with these steps below every key.
        func text(_ steps: String) -> String { text(steps: keys.map { _ in steps }) }

        private func text(steps: [String]) -> String {
            let inner = zip(keys, steps).map { $0 + $1 }.joined(separator: ",")
            let content = threshold.map { "\(isSorted ? "sorted" : "")multi(\($0),\(inner))" } ?? inner
            return wrap.replacing("X", with: content)
        }

        /// The extended keys alone, in an order of their own.
        var bareKeys: [String] { keys.map { String($0.split(separator: "]").last ?? "") }.sorted() }
    }

    /// The person whose card it is, and his cosigners.
    let people: [SampleWallet]
    private let thief: SampleWallet
    /// Where everybody's keys are.
    let account: DerivationPath
    private static let single = ["wpkh(X)", "pkh(X)", "sh(wpkh(X))"]
    private static let several = ["wsh(X)", "sh(wsh(X))", "sh(X)"]

    init() throws {
        people = try (1...5).map { try SampleWallet(seed: $0) }
        thief = try SampleWallet(seed: 99)
        account = try people[0].accountPath(.p2wpkh)
    }

    /// The key of one person, which may be said to be another's.
    func key(_ person: SampleWallet, posingAs other: SampleWallet? = nil) throws -> String {
        let origin = KeyOrigin(fingerprint: (other ?? person).fingerprint, path: account)
        return "\(origin)\(try person.extendedKey(account).text)"
    }

    /// A sound wallet: addresses and change.
    func honest(using generator: inout SeededGenerator) throws -> [Draft] {
        let count = Int.random(in: 1...5, using: &generator)
        let keys = try people.prefix(count).map { try key($0) }.shuffled(using: &generator)
        let wraps = count == 1 ? Self.single : Self.several
        var draft = Draft(
            wrap: wraps.randomElement(using: &generator) ?? wraps[0],
            threshold: count == 1 ? nil : Int.random(in: 1...count, using: &generator),
            isSorted: Bool.random(using: &generator), keys: keys, steps: keys.map { _ in "/<0;1>/*" })
        guard Bool.random(using: &generator) else { return [draft] }
        draft.steps = keys.map { _ in "/0/*" }
        var change = draft
        change.steps = keys.map { _ in "/1/*" }
        return [draft, change]
    }

    /// The same with something in it that nobody asked for.
    func dishonest(_ drafts: [Draft], using generator: inout SeededGenerator) throws -> [Draft] {
        var drafts = drafts
        let last = drafts.count - 1
        guard !drafts[last].keys.isEmpty else { return drafts }
        let place = Int.random(in: drafts[last].keys.indices, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: drafts[last].keys[place] = try key(thief)
        case 1: drafts[last].keys[place] = try key(thief, posingAs: people[0])
        case 2: drafts[last].threshold = drafts[last].threshold.map { $0 == 1 ? 2 : $0 - 1 }
        case 3: drafts[last].wrap = (Self.single + Self.several).randomElement(using: &generator) ?? ""
        case 4:
            drafts[last].keys.remove(at: place)
            drafts[last].steps.remove(at: place)
        case 5:
            guard let key = drafts[0].keys.randomElement(using: &generator) else { return drafts }
            for index in drafts.indices where drafts[index].keys.indices.contains(place) {
                drafts[index].keys[place] = key
            }
        case 6:
            drafts[last].steps[place] =
                ["/7/1/*", "/1999999999/*", "/1/7", "/*"].randomElement(using: &generator) ?? ""
        case 7:
            let branches = ["/<0;1>/*", "/0/*", "/1/*"].randomElement(using: &generator) ?? ""
            drafts.append(Draft(wrap: Self.single[0], keys: [try key(thief)], steps: [branches]))
        case 8: drafts.shuffle(using: &generator)
        case 9: drafts[last].keys[place] = try otherChainCode(people[0])
        case 10: drafts[last].keys.shuffle(using: &generator)
        default:
            drafts[last].keys.append(try key(thief))
            drafts[last].steps.append(drafts[last].steps[0])
        }
        return drafts
    }

    /// A person's point with a chain code of the writer's own.
    private func otherChainCode(_ person: SampleWallet) throws -> String {
        let own = try person.extendedKey(account)
        let other = ExtendedPublicKey(
            network: own.network, depth: own.depth, parentFingerprint: own.parentFingerprint,
            childNumber: own.childNumber, chainCode: ChainCode(repeating: 7), publicKey: own.publicKey)
        return "\(KeyOrigin(fingerprint: person.fingerprint, path: account))\(other.text)"
    }
}
