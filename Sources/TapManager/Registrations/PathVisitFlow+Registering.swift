import Bitcoin
import TapProtocol

extension PathVisitFlow {
    /// Signs what is registered with an account's own key, at any path.
    ///
    /// Wire: as for `keys(at:)`, then one `sign` at the path.
    /// - Parameters:
    ///   - account: up to 8 hardened steps.
    ///   - key: the account's key, proven.
    /// - Throws: `FlowError`: `.card` with `.badProof(.signingKey)` if another key signs; what `keys(at:)` throws.
    package func register(
        _ content: RegisteredContent, at account: DerivationPath, by key: ExtendedPublicKey
    ) async throws(FlowError) -> WalletRegistration {
        let salt = WalletRegistration.randomSalt()
        let signed = try await sign(content.digest(salt: salt), at: account, for: .registerWallet)
        guard signed.publicKey == key.publicKey else {
            throw .card(.badProof(.signingKey, detail: "a key other than the one at \(account) signed"))
        }
        return WalletRegistration(salt: salt, signature: signed.signature)
    }
}
