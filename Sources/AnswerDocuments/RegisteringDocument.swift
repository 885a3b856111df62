import Bitcoin
import TapManager

/// What a card shall register, as a program shows it to its user.
struct RegisteringDocument: Encodable {
    let descriptors: [String]
    /// The descriptors with the numbers of the keys in their places, `@0`, `@1`, …, as in BIP-388.
    let templates: [String]
    /// The spending paths, for a wallet with a policy; empty if it has too many to list.
    let paths: [SpendingPathDocument]?
    /// The keys, in the order of the text.
    let keys: [WalletKeyDocument]
    let firstAddress: String?

    init(_ asked: RegistrationQuestion) {
        descriptors = asked.wallet.descriptors.compactMap(\.text)
        templates = asked.wallet.policyTemplates
        let all = asked.spendingPaths.map { SpendingPathDocument($0) }
        paths = all.isEmpty && !asked.wallet.hasUnlistedPaths ? nil : all
        keys = asked.wallet.shownKeys.map { WalletKeyDocument($0, ofCard: asked.fingerprint) }
        firstAddress = asked.firstAddress?.description
    }
}

/// A key of a wallet as JSON.
struct WalletKeyDocument: Encodable {
    let fingerprint: String?
    let path: String?
    /// The extended or single public key.
    let key: String
    /// True for a key with the card's fingerprint, as far as the store remembers that; otherwise absent.
    let thisCard: Bool?

    /// - Parameter card: the card's fingerprint; `nil`: not known.
    init(_ key: WatchWallet.ShownKey, ofCard card: Fingerprint?) {
        fingerprint = key.origin?.fingerprint.description
        path = key.origin?.path.description
        self.key = key.text
        thisCard = card != nil && key.origin?.fingerprint == card ? true : nil
    }
}
