import Bitcoin

/// An address, given by its keys, for a card to prove.
package enum AddressClaim: Sendable {
    /// The first address of a descriptor that has one or more of the card's keys.
    case descriptor(AddressDescriptor)
    /// The address of the card's key at a path.
    case path(CardPath, ScriptKind)

    /// The first address of a descriptor.
    /// - Throws: what `AddressDescriptor(parsing:)` throws.
    package init(descriptor text: String) throws(AddressClaimError) {
        self = .descriptor(try AddressDescriptor(parsing: text))
    }

    /// The address of a kind at a path.
    /// - Throws: `AddressClaimError.notSignable` for any other path, from whose address only the card's backup could
    ///   spend.
    package init(_ path: DerivationPath, as kind: ScriptKind) throws(AddressClaimError) {
        guard let path = CardPath(path) else { throw .notSignable(path) }
        self = .path(path, kind)
    }

    /// The card's hardened paths whose keys the proof needs.
    /// - Throws: `AddressClaimError` if no key is claimed to be this card's, ….
    func accounts(of fingerprint: Fingerprint) throws(AddressClaimError) -> [DerivationPath] {
        switch self {
        case .descriptor(let descriptor): try descriptor.accounts(of: fingerprint)
        case .path(let path, _): [path.account]
        }
    }

    /// The address, if the card's keys produce it.
    /// - Parameter keys: the card's, proven, at `accounts(of:)`.
    /// - Throws: `AddressClaimError`.
    func proven(by keys: SignerKeys, on network: Network) throws(AddressClaimError) -> ProvenAddress {
        switch self {
        case .descriptor(let descriptor): return try descriptor.proven(by: keys, on: network)
        case .path(let path, let kind):
            var keys = keys
            guard let key = keys.publicKey(at: path),
                let address = Address(scriptPubKey: kind.scriptPubKey(for: key), network: network)
            else { throw .noAddress }
            let fault = ReachFault([path.path], among: [path.path])
            return ProvenAddress(
                address: address, cautions: fault.map { [.remote($0)] } ?? [], isFirstOfSeveral: false)
        }
    }
}

/// An address that a card proved to be from its keys.
package struct ProvenAddress: Sendable, Equatable {
    /// The address, in the form of the requested network.
    package let address: Address
    /// What the user must know before anything is paid to it.
    package let cautions: [AddressCaution]
    /// Whether it is the first of several that the descriptor has.
    package let isFirstOfSeveral: Bool
}

/// What the user must know about an address that a card proved: the proof alone makes it neither safe nor easy to find.
package enum AddressCaution: Sendable, Equatable {
    /// It has several keys, and this many belong to others, about which the card knows nothing. If they reach the
    /// threshold, others can spend without the card.
    case otherHolders(Int, of: Int, threshold: Int)
    /// Wallets do not look where it is.
    case remote(ReachFault)
}

extension ReachFault {
    /// What is wrong with an address's position if it is unknown which others are in use; `nil`: nothing.
    /// - Parameters:
    ///   - ownPaths: those of the card's keys, from the master key.
    ///   - paths: those of all keys, as far as they are known.
    init?(_ ownPaths: [DerivationPath], among paths: [DerivationPath]) {
        func place(_ path: DerivationPath) -> [ChildNumber] {
            Array(path.steps.reversed().prefix { !$0.isHardened }.reversed())
        }
        do throws(ReachFault) {
            for path in ownPaths {
                let own = place(path)
                try AddressReach.requireUsual(own, at: path, among: paths.map(place))
                if let number = own.last { try AddressReach.requireNear(number.index, next: nil) }
            }
            return nil
        } catch { self = error }
    }
}
