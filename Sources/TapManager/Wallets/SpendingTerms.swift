import Bitcoin

/// What a spending path takes, with the names that people know keys by.
package struct SpendingTerms: Sendable, Hashable {
    /// Whose key it is.
    package enum Key: Sendable, Hashable {
        /// The holder of the master key with this fingerprint, as a stored wallet's descriptor says or, of others' coins, the PSBT.
        case holder(Fingerprint)
        /// A remembered card, which has proven the key, by its master key's fingerprint and its name.
        case card(Fingerprint, name: String)
        /// A key that its user has labelled, and who it is without that.
        indirect case labelled(Key, label: String)
        /// A key without an origin, or the hash of one.
        case bytes([UInt8])

        /// For programs: the master key's fingerprint; a key without one in hexadecimal.
        package var text: String {
            switch self {
            case .holder(let fingerprint), .card(let fingerprint, _): fingerprint.description
            case .labelled(let key, _): key.text
            case .bytes(let bytes): Script(bytes).description
            }
        }

        /// The card's name.
        package var cardName: String? {
            if case .card(_, let name) = self { name } else { nil }
        }

        /// The user's label.
        package var label: String? {
            if case .labelled(_, let label) = self { label } else { nil }
        }
    }

    /// So many signatures of these keys.
    package struct Group: Sendable, Hashable {
        package let threshold: Int
        package let keys: [Key]
    }

    /// The preimage of a hash.
    package struct Preimage: Sendable, Hashable {
        package let function: PreimageHash
        package let hash: [UInt8]

        /// As in a descriptor: `sha256(…)`.
        var text: String { "\(function.rawValue)(\(Script(hash)))" }
    }

    /// Whose signatures it takes: all of these groups.
    ///
    /// With `choice`, one group of all keys: it takes so many of them at least, and not every such set is enough.
    package let groups: [Group]
    /// How old the coin must be, as sequence numbers say it (BIP-68).
    package let older: [UInt32]
    /// What must have passed, as lock times say it (BIP-65).
    package let after: [UInt32]
    package let preimages: [Preimage]
    /// What signatures and preimages it takes, where there are too many spending paths to list each; `nil`: it is one path.
    package let choice: SpendingPolicy<Key>?

    /// Signatures alone, as in an account or a multisig.
    init(_ group: Group) { (groups, older, after, preimages, choice) = ([group], [], [], [], nil) }

    init<Place>(_ path: SpendingPath<Place>, name: (Place) -> Key) {
        groups = path.signers.map { Group(threshold: $0.threshold, keys: $0.keys.map(name)) }
        (older, after) = (path.older, path.after)
        preimages = path.preimages.map { Preimage(function: $0.function, hash: $0.hash) }
        choice = path.choice?.mapKeys(name)
    }

    /// Whether something must pass first.
    package var isLocked: Bool { !older.isEmpty || !after.isEmpty }

    /// The choice for programs, in the notation of policies: `thresh(2,pk(0f056943),thresh(1,pk(5e6f7a8b),sha256(…)))`, with
    /// `Key.text` for keys, and without locks; `nil`: it is one path.
    package var choiceText: String? { choice.map(Self.text) }

    private static func text(_ policy: SpendingPolicy<Key>) -> String {
        switch policy {
        case .always, .older, .after: "1"
        case .never: "0"
        case .key(let key): "pk(\(key.text))"
        case .preimage(let function, let hash): Preimage(function: function, hash: hash).text
        case .threshold(let threshold, let parts):
            "thresh(\(threshold),\(parts.map(text).joined(separator: ",")))"
        }
    }

    /// How many keys and hashes it names.
    var nameCount: Int { groups.reduce(preimages.count) { $0 + $1.keys.count } }

    /// Whether blocks alone open it.
    package var isOpenedByBlocks: Bool {
        !older.contains(where: TimeLock.isTime) && !after.contains(where: TimeLock.isDate)
    }

    /// The first block in which its locks in blocks are open to a coin, 0 without such locks; `nil` if it has a relative lock,
    /// and the coin is unconfirmed.
    /// - Parameter confirmed: the height of the block with the coin; `nil`: it is unconfirmed.
    package func openingHeight(confirmed: Int?) -> Int? {
        // A transaction is valid in blocks above its lock time (BIP-65).
        let passed = after.filter { !TimeLock.isDate($0) }.map { Int($0) + 1 }.max() ?? 0
        guard !older.isEmpty else { return passed }
        guard let confirmed else { return nil }
        let ages = older.filter { !TimeLock.isTime($0) }.map { confirmed + Int(TimeLock.count($0)) }
        return max(passed, ages.max() ?? 0)
    }
}
