import Bitcoin

/// Why a card's word is not enough to call an address of a wallet verified: the card could not sign for what is paid there, or
/// nobody would find it.
package enum ReachFault: Error, Sendable, Equatable {
    /// The card signs no taproot inputs.
    case taproot
    /// Below the card's path stand at most two unhardened steps.
    case notSignable(DerivationPath)
    /// The path does not end in 0 or 1 and a number.
    case unusualBranch(DerivationPath)
    /// The keys of the address do not all stand at the same branch and number.
    case keysApart
    /// The number is far behind the next one without a use.
    case farIndex(UInt32, next: UInt32)
}

extension ReachFault: CustomStringConvertible {
    /// What is wrong, in one sentence.
    package var description: String {
        switch self {
        case .taproot: "The address is a taproot one, and the card signs none of those."
        case .notSignable(let path):
            "The card cannot sign at \(path): below its own path it takes at most two unhardened steps."
        case .unusualBranch(let path): "Wallets do not look at \(path): it does not end in 0 or 1 and a number."
        case .keysApart:
            "The keys of the address do not all stand at the same branch and number: wallets do not look there."
        case .farIndex(let index, let next):
            "The address has the number \(index), and the next unused one is \(next): wallets do not look that far."
        }
    }
}

extension WatchWallet {
    /// How far wallets look where no server was asked which addresses are in use.
    package static let reachWithoutHistory: UInt32 = 1_000

    /// Confirms that a card with a key of this origin can sign for an address, and that wallets look at its branch.
    /// - Parameter origin: the card's master key and path, as the descriptor has it.
    /// - Throws: `ReachFault`.
    package func requireReach(of place: WalletPlace, from origin: KeyOrigin) throws(ReachFault) {
        guard descriptors.indices.contains(place.descriptor) else { throw .keysApart }
        let descriptor = descriptors[place.descriptor]
        if case .tr = descriptor.expression { throw .taproot }
        let tails = descriptor.keys.map { tail(of: $0, at: place) }
        guard let own = zip(descriptor.keys, tails).first(where: { $0.0.origin == origin })?.1 else {
            throw .notSignable(origin.path)
        }
        let path = origin.path.appending(DerivationPath(own))
        guard let cardPath = CardPath(path), cardPath.account == origin.path else { throw .notSignable(path) }
        guard own.count == CardPath.maximumSubpathDepth, let branch = own.first, branch.index <= 1 else {
            throw .unusualBranch(path)
        }
        guard Set(tails).count == 1 else { throw .keysApart }
    }

    /// Confirms that a gap-limit search comes as far as an address.
    /// - Parameter known: what a chain server said last; `nil`: how many addresses are in use is not known.
    /// - Throws: `ReachFault.farIndex`.
    package func requireNear(_ place: WalletPlace, known: WalletChain?) throws(ReachFault) {
        let next = known?.nextIndex(descriptor: place.descriptor, branch: place.branch) ?? 0
        let reach = known == nil ? Self.reachWithoutHistory : UInt32(WalletSync.usualGapLimit)
        guard place.index < next + reach else { throw .farIndex(place.index, next: next) }
    }

    /// The steps to a place below an extended key.
    private func tail(of key: DescriptorKey, at place: WalletPlace) -> [ChildNumber] {
        let branch = key.branchCount == 1 ? 0 : place.branch
        let above = key.origin?.path.steps.count ?? 0
        let whole = (try? key.origin(branch: branch, index: place.index)).flatMap { $0 }
        return Array((whole?.path.steps ?? []).dropFirst(above))
    }
}
