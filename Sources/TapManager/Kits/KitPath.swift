import Bitcoin

/// A way to spend a wallet's coins, whatever kind of wallet it is: a spending path of a policy, or the signatures that
/// an account or a multisig takes.
package struct KitPath: Sendable {
    /// So many signatures of the keys at these seats.
    struct Signers: Sendable {
        let threshold: Int
        let seats: [KeySeat]
    }

    /// From 1; for a policy, that of its spending path.
    package let number: Int
    /// What it takes.
    package let terms: SpendingTerms
    /// Whose signatures: all of these groups.
    let signers: [Signers]
    /// The wallet's whole policy, where there are too many spending paths to list each.
    let policy: SpendingPolicy<KeySeat>?
    /// The policy's spending path; `nil` for wallets without a policy.
    let path: WalletSpendingPath?

    /// Every way to spend from a sound wallet; empty for bare addresses and scripts, and for a policy with more
    /// spending paths than are listed. There are no kits of taproot wallets.
    /// - Parameter names: what people call keys: see `Store.names`.
    package static func all(
        of wallet: WatchWallet, names: [WatchWallet.ShownKey: SpendingTerms.Key] = [:]
    ) -> [KitPath] {
        guard let descriptor = wallet.descriptors.first(where: { !$0.keys.isEmpty }) else { return [] }
        let seats = descriptor.seats
        guard descriptor.miniscript == nil else {
            // Descriptors that are not one wallet's can have other numbers of keys.
            let paths = wallet.spendingPaths.filter { path in
                path.path.signers.allSatisfy { $0.keys.allSatisfy { seats.indices.contains($0.number) } }
            }
            let policy = descriptor.miniscript.map { SpendingPolicy($0.numbered) }
            return paths.map { path in
                KitPath(
                    number: path.number, terms: path.named(names).terms,
                    signers: path.path.signers.map { group in
                        Signers(threshold: group.threshold, seats: group.keys.map { seats[$0.number] })
                    }, policy: path.path.choice == nil ? nil : policy?.mapKeys { seats[$0.number] }, path: path)
            }
        }
        let multisig = descriptor.multisig
        let keys = multisig == nil ? Array(descriptor.keys.prefix(1)) : descriptor.keys
        let threshold = multisig?.threshold ?? 1
        let holders = keys.map { names[$0.shown] ?? $0.holder }
        return [
            KitPath(
                number: 1, terms: SpendingTerms(.init(threshold: threshold, keys: holders)),
                signers: [Signers(threshold: threshold, seats: Array(seats.prefix(keys.count)))], policy: nil, path: nil
            )
        ]
    }

    /// The numbers of a stored wallet's ways to spend; empty also if this program cannot read it.
    static func numbers(of stored: StoredWallet) -> [Int] {
        (try? WatchWallet(stored)).map { all(of: $0).map(\.number) } ?? []
    }
}

extension StoredWallet {
    /// The numbers of the spending paths that no rehearsal ever proved.
    package var unprovenPaths: [Int] { KitPath.numbers(of: self).filter { drill.proven[$0] == nil } }
}

extension WatchWallet {
    /// Whether it has a taproot descriptor: cards and their backups make no Schnorr signatures.
    var hasTaproot: Bool { descriptors.contains(where: \.isTaproot) }
}
