import Bitcoin
import TapProtocol

/// A registration that was given as text, with the wallet in it: one of the wallet's own keys made it. That this key is a
/// card's, only the card shows.
struct ClaimedRegistration {
    let wallet: WatchWallet
    let registration: WalletRegistration
    /// The account whose key signed.
    let signer: KeyOrigin

    /// - Parameter network: the requested one; `nil`: the one that the keys show.
    /// - Throws: `RegistrationError`; `WalletError` for descriptors that no wallet can have.
    init(_ text: RegistrationText, on network: Network?) throws {
        guard let registration = WalletRegistration(text.registration) else {
            throw CardProduct(rawValue: text.device) == nil
                ? RegistrationError.otherDevice(text.device) : RegistrationError.malformed
        }
        self.registration = registration
        wallet = try WalletDraft(
            name: try WalletName(parsing: text.name), network: network, descriptors: text.descriptors
        ).wallet
        guard let signer = RegisteredContent(wallet).signer(of: registration) else {
            throw RegistrationError.altered(wallet: text.name, nil)
        }
        self.signer = signer
    }

    /// Whether one of a signer's keys at hand made it.
    /// - Parameter keys: the signer's, proven.
    /// - Returns: `nil` if none of these keys can tell: it may be another card's.
    /// - Throws: `RegistrationError.altered` if the signer has another key there than the wallet says.
    func isMade(by keys: SignerKeys) throws(RegistrationError) -> Bool? {
        guard signer.fingerprint == keys.masterFingerprint, let key = keys.accounts[signer.path]?.publicKey else {
            return nil
        }
        guard registration.isSignature(of: RegisteredContent(wallet), by: key) else {
            throw .altered(wallet: wallet.name, keys.masterFingerprint)
        }
        return true
    }
}

extension RegistrationText {
    /// Confirms, without a card, that one of the wallet's own keys made the registration.
    /// - Throws: `RegistrationError`, `WalletError`.
    package func requireSigned() throws { _ = try ClaimedRegistration(self, on: nil) }
}
