import Bitcoin

extension WatchWallet {
    /// Confirms that a card with a key of this origin can sign for an address, and that wallets look at its branch.
    /// - Parameter origin: the card's master key and path, from the descriptor.
    /// - Throws: `ReachFault`.
    package func requireReach(of place: WalletPlace, from origin: KeyOrigin) throws(ReachFault) {
        guard descriptors.indices.contains(place.descriptor) else { throw .keysApart }
        let descriptor = descriptors[place.descriptor]
        if descriptor.isTaproot { throw .taproot }
        let tails = tails(of: descriptor, at: place)
        guard let own = zip(descriptor.keys, tails).first(where: { $0.0.origin == origin })?.1 else {
            throw .notSignable(origin.path)
        }
        let path = origin.path.appending(DerivationPath(own))
        guard let cardPath = CardPath(path), cardPath.account == origin.path else { throw .notSignable(path) }
        try AddressReach.requireUsual(own, at: path, among: tails)
    }

    /// Why an address cannot be called verified by a card with a key of this origin, where it is unknown how many addresses are
    /// in use; `nil` if it can.
    func reachFault(of place: WalletPlace, from origin: KeyOrigin) -> ReachFault? {
        do throws(ReachFault) {
            try requireReach(of: place, from: origin)
            try requireNear(place, known: nil)
            return nil
        } catch { return error }
    }

    /// Confirms that a gap-limit search reaches an address.
    /// - Parameter known: the chain server's last answer; `nil`: it is unknown how many addresses are in use.
    /// - Throws: `ReachFault.farIndex`.
    package func requireNear(_ place: WalletPlace, known: WalletChain?) throws(ReachFault) {
        let next = known.map { $0.nextIndex(descriptor: place.descriptor, branch: place.branch) }
        try AddressReach.requireNear(place.index, next: next)
    }

    /// The steps to a place below each key. In a policy, a key that was there before stands two branches further each
    /// time, as in `<2;3>`: its steps are given as those that the first one has.
    ///
    /// Spec: BIP-388, "Additional rules": a key that appears again has branches of its own.
    private func tails(of descriptor: Descriptor, at place: WalletPlace) -> [[ChildNumber]] {
        var further: [WalletPolicy.Key.Root: UInt32] = [:]
        return descriptor.keys.map { key in
            var tail = tail(of: key, at: place)
            guard descriptor.miniscript != nil, tail.count == CardPath.maximumSubpathDepth else { return tail }
            let distance = further[WalletPolicy.Key(key).root, default: 0]
            further[WalletPolicy.Key(key).root] = distance + 2
            if tail[0].index >= distance { tail[0] = ChildNumber(rawValue: tail[0].rawValue - distance) }
            return tail
        }
    }

    /// The steps to a place below an extended key.
    private func tail(of key: DescriptorKey, at place: WalletPlace) -> [ChildNumber] {
        let branch = key.branchCount == 1 ? 0 : place.branch
        let above = key.origin?.path.steps.count ?? 0
        let whole = (try? key.origin(branch: branch, index: place.index)).flatMap { $0 }
        return Array((whole?.path.steps ?? []).dropFirst(above))
    }
}
