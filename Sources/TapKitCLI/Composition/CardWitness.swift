import Bitcoin
import TapManager
import TapProtocol

/// Lets cards show that they have keys of a wallet's address.
struct CardWitness {
    /// What they showed.
    struct Verdict {
        /// The cards that have a key of the address.
        let idents: [CardIdent]
        /// How many keys the address has.
        let keyCount: Int
        /// How many of its keys spend it.
        let threshold: Int

        /// Whether those whom nobody vouches for cannot spend without these cards.
        var isSafe: Bool { keyCount - idents.count < threshold }

        /// What is left to trust, for people; `nil`: nothing.
        var warning: String? {
            guard idents.count < keyCount else { return nil }
            let others = "\(keyCount - idents.count) of its \(keyCount) keys are not verified"
            return isSafe
                ? "\(others): without them the money cannot be spent, if \(threshold) must sign."
                : "\(others), and \(threshold) can spend: whoever has those can take the money."
        }
    }

    private let options: GlobalOptions

    init(_ options: GlobalOptions) { self.options = options }

    /// Reads the accounts of the cards on the readers, proven, and compares them with the keys of the wallet: those of the
    /// address, and those of the change that goes with it.
    /// - Parameter known: what a chain server said last.
    /// - Throws: `Failure`: `.otherWallet` when a card has no key of the wallet at its present path; `.outOfReach` when the card
    ///   could not sign for the address or its change, or nobody would look there.
    func confirm(_ place: WalletPlace, of wallet: WatchWallet, known: WalletChain?) async throws -> Verdict {
        let descriptor = wallet.descriptors[place.descriptor]
        let change = wallet.changeBranch.map { $0.place($0.isRanged ? place.index : 0) }
        do throws(ReachFault) { try wallet.requireNear(place, known: known) } catch { throw Failure(error) }
        var found: [CardIdent] = []
        for card in try await AccountRound(options).several(atLeast: 1, exactly: nil) {
            try require(card, at: place, of: wallet)
            if let change { try require(card, at: change, of: wallet) }
            found.append(card.ident)
        }
        return Verdict(idents: found, keyCount: descriptor.keys.count, threshold: descriptor.threshold)
    }

    private func require(
        _ card: AccountRound.Found, at place: WalletPlace, of wallet: WatchWallet
    ) throws(Failure) {
        let account = card.account
        let named = wallet.descriptors[place.descriptor].keys.filter {
            $0.origin?.fingerprint == account.masterFingerprint
        }
        let own = named.filter { $0.origin?.path == account.path }
        for key in own {
            guard case .extended(let extended) = key.material, extended.publicKey == account.key.publicKey,
                extended.chainCode == account.key.chainCode
            else {
                throw Failure(
                    .otherWallet,
                    "The wallet says that a key is this card's at \(account.path), and it is not: do not use it.")
            }
        }
        if !own.isEmpty {
            let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
            do throws(ReachFault) { return try wallet.requireReach(of: place, from: origin) } catch {
                throw Failure(error)
            }
        }
        if let path = named.first?.origin?.path {
            throw Failure(
                .otherWallet, "The wallet's key is the card's at \(path), and the card stands at \(account.path).",
                hint: "tapkit derive \(path)")
        }
        throw Failure(
            .otherWallet,
            "The card \(card.ident) (fingerprint \(account.masterFingerprint)) has no key of the wallet “\(wallet.name)”."
        )
    }
}

extension Descriptor {
    /// How many of its keys spend it; 1 where there are scripts to choose from, any of which may do.
    fileprivate var threshold: Int {
        func threshold(_ expression: Expression) -> Int {
            switch expression {
            case .multi(let threshold, _, _): threshold
            case .sh(let inner), .wsh(let inner): threshold(inner)
            case .pk, .pkh, .wpkh, .combo, .tr, .address, .raw: 1
            }
        }
        return threshold(expression)
    }
}
