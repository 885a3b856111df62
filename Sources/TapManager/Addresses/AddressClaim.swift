import Bitcoin

/// An address that somebody names by its keys, for a card to prove.
package enum AddressClaim: Sendable {
    /// The first address of a descriptor that names one of the card's keys, or several.
    case descriptor(AddressDescriptor)
    /// The address of the card's key at a path.
    case path(CardPath, ScriptKind)

    /// The first address of a descriptor.
    /// - Throws: what `AddressDescriptor(parsing:)` throws.
    package init(descriptor text: String) throws(AddressClaimError) {
        self = .descriptor(try AddressDescriptor(parsing: text))
    }

    /// The address of a kind at a path.
    /// - Throws: `AddressClaimError.notSignable`: what is paid to an address at another path only a card's backup can spend.
    package init(_ path: DerivationPath, as kind: ScriptKind) throws(AddressClaimError) {
        guard let path = CardPath(path) else { throw .notSignable(path) }
        self = .path(path, kind)
    }

    /// The card's hardened paths whose keys the proof takes.
    /// - Throws: `AddressClaimError` when no key is said to be this card's, ….
    func accounts(of fingerprint: Fingerprint) throws(AddressClaimError) -> [DerivationPath] {
        switch self {
        case .descriptor(let descriptor): try descriptor.accounts(of: fingerprint)
        case .path(let path, _): [path.account]
        }
    }

    /// The address, when the card's keys make it.
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

/// An address that a card proved to be of its keys.
package struct ProvenAddress: Sendable, Equatable {
    /// The address, as the network writes it that was asked for.
    package let address: Address
    /// What a person must know of it before anything is paid there.
    package let cautions: [AddressCaution]
    /// Whether it is the first of several that the descriptor has.
    package let isFirstOfSeveral: Bool
}

/// What a person must know of an address that a card proved: the card's word alone makes it neither safe nor easy to find.
package enum AddressCaution: Sendable, Equatable {
    /// It is of several keys; so many of them are not this card's, which knows nothing of those. With as many as the threshold
    /// anybody spends what is paid there.
    case otherHolders(Int, of: Int, threshold: Int)
    /// Wallets do not look where it stands.
    case remote(ReachFault)
}

extension ReachFault {
    /// What is wrong with where an address stands of which nobody knows which others are in use; `nil`: nothing.
    /// - Parameters:
    ///   - ownPaths: those of the card's keys, from the master key.
    ///   - paths: those of all keys, as far as they are told.
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
