import Bitcoin
import TapManager

/// What a card shall register, as a program shows it to its user.
struct RegisteringDocument: Encodable {
    let descriptors: [String]
    /// The descriptors with the numbers of the keys in their places, `@0`, `@1`, …, as in BIP-388.
    let templates: [String]
    /// The spending paths, for a wallet with a policy.
    let paths: [SpendingPathDocument]?
    /// The keys, in the order of the text.
    let keys: [WalletKeyDocument]
    let firstAddress: String?

    init(_ asked: RegistrationQuestion) {
        descriptors = asked.wallet.descriptors.compactMap(\.text)
        templates = asked.wallet.policyTemplates
        let all = asked.wallet.spendingPaths.map { SpendingPathDocument($0) }
        paths = all.isEmpty ? nil : all
        keys = asked.wallet.shownKeys.map(WalletKeyDocument.init)
        firstAddress = asked.firstAddress?.description
    }
}

/// A key of a wallet as JSON.
struct WalletKeyDocument: Encodable {
    let fingerprint: String?
    let path: String?
    /// The extended or single public key.
    let key: String

    init(_ key: WatchWallet.ShownKey) {
        fingerprint = key.origin?.fingerprint.description
        path = key.origin?.path.description
        self.key = key.text
    }
}

/// A card's registration of a wallet as JSON.
package struct RegistrationDocument: Encodable {
    let fingerprint: String
    let path: String
    let created: Int64
    let createdAt: String
    /// The wallet with the registration, as other programs take it.
    let registration: String?

    /// A registration as stored.
    init(_ stored: StoredRegistration, text: String?) {
        fingerprint = stored.account.fingerprint.description
        path = stored.account.path.description
        created = stored.created.seconds
        createdAt = stored.created.iso8601
        registration = text
    }
}

/// The answer to registering a wallet.
package struct RegisteredWalletDocument: Encodable {
    let name: String
    let ident: String
    let fingerprint: String
    let path: String
    let registration: String
    let file: String?

    /// - Parameter file: where the registration was written; `nil`: nowhere.
    package init(_ registered: RegisteredWallet, file: String? = nil) {
        name = registered.text.name
        ident = registered.card.ident.description
        fingerprint = registered.stored.account.fingerprint.description
        path = registered.stored.account.path.description
        registration = registered.text.text
        self.file = file
    }
}
