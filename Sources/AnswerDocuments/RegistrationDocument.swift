import TapManager

/// A card's registration of a wallet as JSON.
package struct RegistrationDocument: Encodable {
    let fingerprint: String
    let path: String
    let created: Int64
    let createdAt: String
    /// Whether a card that the store remembers has proven the key that made it; without, anybody may have.
    let proven: Bool
    /// The wallet with the registration, as other programs take it.
    let registration: String?

    /// A registration as stored.
    init(_ stored: StoredRegistration, text: String?, isProven: Bool) {
        proven = isProven
        fingerprint = stored.account.fingerprint.description
        path = stored.account.path.description
        created = stored.created.seconds
        createdAt = stored.created.iso8601
        registration = text
    }
}

/// The answer to registering a wallet.
package struct RegisteredWalletDocument: Encodable {
    /// What was asked for is done.
    let registered = true
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
