import Bitcoin
import TapManager
import TapProtocol

/// Lets a card show that it has a key of a wallet's address.
struct CardWitness {
    private let options: GlobalOptions

    init(_ options: GlobalOptions) { self.options = options }

    /// Reads the card's account, proven, derives the address's key from it, and compares.
    /// - Returns: the card.
    /// - Throws: `Failure.otherWallet` when no key of the wallet is the card's at its present path.
    func confirm(_ place: WalletPlace, of wallet: WatchWallet) async throws -> CardIdent {
        let found = try await AccountRound(options).one()
        let account = found.account
        let keys = wallet.descriptors[place.descriptor].keys
        let named = keys.compactMap(\.origin).filter { $0.fingerprint == account.masterFingerprint }
        for key in keys {
            guard let origin = key.origin, origin.fingerprint == account.masterFingerprint,
                origin.path == account.path, case .extended(let extended) = key.material
            else { continue }
            guard extended.publicKey == account.key.publicKey, extended.chainCode == account.key.chainCode else {
                throw Failure(
                    .otherWallet,
                    "The wallet says that a key is this card's at \(account.path), and it is not: do not use it.")
            }
            return found.ident
        }
        if let other = named.first {
            throw Failure(
                .otherWallet,
                "The wallet's key is the card's at \(other.path), and the card stands at \(account.path).",
                hint: "tapkit derive \(other.path)")
        }
        throw Failure(
            .otherWallet,
            "The card \(found.ident) (fingerprint \(account.masterFingerprint)) has no key of the wallet “\(wallet.name)”."
        )
    }
}
