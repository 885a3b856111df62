import Bitcoin

/// A wallet with parsed descriptors, which knows its scripts.
package struct WatchWallet: Sendable {
    /// A sequence of a wallet's scripts.
    package struct Branch: Sendable, Hashable {
        /// The descriptor's number in the wallet, from 0.
        package let descriptor: Int
        /// The position in the multipath step, from 0.
        package let number: Int
        /// Whether its addresses are for the wallet's own change.
        package let isChange: Bool
        /// Whether there is a script for every index below 2³¹; only one otherwise.
        package let isRanged: Bool

        /// The place of an index of this branch.
        package func place(_ index: UInt32) -> WalletPlace {
            WalletPlace(descriptor: descriptor, branch: number, index: index)
        }
    }

    /// Its name.
    package let name: String
    /// The network of its addresses.
    package let network: Network
    /// What it watches.
    package let descriptors: [Descriptor]
    /// Every branch of every descriptor, in order.
    package let branches: [Branch]
    /// Why nothing is built, received, signed or exported with this wallet; `nil`: it is safe.
    package let fault: WalletFault?
    /// Whether more than one key says who can spend, or when: what a registration protects.
    package var hasConditions: Bool { descriptors.contains { $0.keys.count > 1 || $0.hasPolicy } }

    /// Who can spend what each descriptor pays to.
    private let policies: [WalletPolicy]
    /// Each descriptor's branches, with everything derived that their scripts share.
    private let rows: [[Descriptor]]

    /// Reads a stored wallet. One that was stored before there was `WalletFault` may have a fault: see
    /// `requireSound()`.
    /// - Throws: `.descriptor` for one that this program cannot read.
    package init(_ stored: StoredWallet) throws(WalletError) {
        var descriptors: [Descriptor] = []
        for (index, text) in stored.descriptors.enumerated() {
            do throws(DescriptorError) { descriptors.append(try text.parsed()) } catch {
                throw .descriptor(index + 1, error)
            }
        }
        try self.init(name: stored.name, network: stored.network, descriptors: descriptors)
    }

    /// - Throws: `.descriptor` for one from which no script can be derived.
    init(name: String, network: Network, descriptors: [Descriptor]) throws(WalletError) {
        var rows: [[Descriptor]] = []
        for (index, descriptor) in descriptors.enumerated() {
            do throws(DescriptorError) {
                var branches: [Descriptor] = []
                for branch in 0..<descriptor.branchCount { branches.append(try descriptor.derivingBranch(branch)) }
                rows.append(branches)
            } catch { throw .descriptor(index + 1, error) }
        }
        self.rows = rows
        self.name = name
        self.network = network
        self.descriptors = descriptors
        let hasReceiving = descriptors.contains { $0.branchCount > 1 || !$0.endsInChangeStep }
        branches = descriptors.enumerated().flatMap { index, descriptor in
            (0..<descriptor.branchCount).map { number in
                Branch(
                    descriptor: index, number: number,
                    isChange: descriptor.branchCount > 1 ? number == 1 : hasReceiving && descriptor.endsInChangeStep,
                    isRanged: descriptor.isRanged)
            }
        }
        policies = descriptors.map(WalletPolicy.init)
        fault = WalletFault.of(branches, policies)
    }

    /// Confirms that its branches have the same keys, threshold and form, and that no key belongs to two cosigners:
    /// otherwise what it calls change may belong to someone else.
    /// - Throws: `.unsound`.
    ///
    /// Spec: threats, "The wallet's own descriptors".
    func requireSound() throws(WalletError) {
        if let fault { throw .unsound(name, fault) }
    }

    /// The branch of the next address to give to others.
    package var receivingBranch: Branch? { branches.first { !$0.isChange } }

    /// The branch for change: a change branch if there is one, else the receiving one.
    package var changeBranch: Branch? {
        // Nobody here could sign for a bare address or script.
        let branches = branches.filter { !descriptors[$0.descriptor].keys.isEmpty }
        let receiving = receivingBranch.map { policies[$0.descriptor].family }
        return branches.first { $0.isChange && policies[$0.descriptor].family == receiving }
            ?? branches.first(where: \.isChange) ?? branches.first
    }

    /// The script of a place.
    /// - Throws: `.noAddress`.
    package func script(at place: WalletPlace) throws(WalletError) -> Script {
        do throws(DescriptorError) { return try row(of: place).script(index: place.index) } catch {
            throw .noAddress(error)
        }
    }

    /// The branch of a place.
    func row(of place: WalletPlace) throws(DescriptorError) -> Descriptor {
        guard rows.indices.contains(place.descriptor), rows[place.descriptor].indices.contains(place.branch) else {
            throw .noSuchScript
        }
        return rows[place.descriptor][place.branch]
    }

    /// The address at the first place for receiving; `nil` if there is none.
    package var firstAddress: Address? { receivingBranch.flatMap { try? address(at: $0.place(0)) } }

    /// The address of a place.
    /// - Throws: `.noAddress`, `.noAddressForm`.
    package func address(at place: WalletPlace) throws(WalletError) -> Address {
        guard let address = Address(scriptPubKey: try script(at: place), network: network) else {
            throw .noAddressForm
        }
        return address
    }

    /// The master fingerprint and path of each key of a place that has an origin.
    package func origins(of place: WalletPlace) -> [KeyOrigin] {
        guard descriptors.indices.contains(place.descriptor) else { return [] }
        return descriptors[place.descriptor].keys.compactMap { key in
            (try? key.origin(branch: key.branchCount == 1 ? 0 : place.branch, index: place.index)).flatMap { $0 }
        }
    }

    /// The keys of a place that have one of these origins, as a PSBT names them. Derives each of them.
    func keys(at place: WalletPlace, from origins: Set<KeyOrigin>) -> [KeyDerivation] {
        guard let row = try? row(of: place) else { return [] }
        return row.keys.compactMap { key in
            guard let origin = (try? key.origin(index: place.index)).flatMap({ $0 }), origins.contains(origin),
                let bytes = try? key.publicKey(index: place.index)
            else { return nil }
            return KeyDerivation(publicKey: bytes, origin: origin)
        }
    }
}

extension Descriptor {
    /// Whether the last step before the wildcard is 1 for every key. Spec: BIP-44, "Change".
    fileprivate var endsInChangeStep: Bool {
        guard isRanged else { return false }
        return keys.allSatisfy { $0.wildcard == nil || $0.steps.last == .one(ChildNumber(rawValue: 1)) }
    }
}
