import Bitcoin
import ByteCodec

/// An account as an Electrum wallet file, which Electrum opens directly: watch-only, with the key origins that PSBTs
/// need.
///
/// Electrum reserves `hardware` for keystores of its own plugins. A `bip32` keystore with `derivation` and
/// `root_fingerprint` and without a private key makes PSBTs with full key origins, which the card signs.
///
/// Source: Electrum 4.3, `wallet_db.py`, `keystore.py`; SLIP-132 for the keys, whose version bytes are Electrum's
/// script type.
package struct ElectrumExport: Sendable {
    private let account: ExportAccount
    /// The version of wallet files in Electrum 4.3; later versions upgrade them.
    private static let seedVersion: Int64 = 50
    /// How many keys Electrum's multisig wallets can have.
    private static let maximumKeyCount = 15

    /// An export of a wallet.
    /// - Throws: `ExportError`: Electrum wallets have one account with one key, or with up to 15 in BIP-67's order.
    package init(_ source: ExportSource) throws(ExportError) {
        account = try source.account
        guard account.keys.count <= Self.maximumKeyCount else { throw .tooManyKeys(limit: Self.maximumKeyCount) }
    }

    /// The file's complete text, with a newline at the end. Contains only public keys.
    package var text: String {
        let keystores: [JSONText.Member]
        let type: String
        switch account.form {
        case .single:
            type = "standard"
            keystores = account.keys.map { ("keystore", keystore($0)) }
        case .multisig(_, let threshold):
            type = "\(threshold)of\(account.keys.count)"
            keystores = account.keys.enumerated().map { ("x\($0 + 1)/", keystore($1)) }
        }
        return JSONText.object(
            keystores + [
                ("seed_version", .number(Self.seedVersion)), ("use_encryption", .bool(false)),
                ("wallet_type", .string(type)),
            ]
        ).lines
    }

    private func keystore(_ key: AccountKey) -> JSONText {
        .object([
            ("derivation", key.origin.map { .string($0.path.apostropheText) } ?? .null),
            ("pw_hash_version", .number(1)),
            ("root_fingerprint", key.origin.map { .string($0.fingerprint.description) } ?? .null),
            ("type", .string("bip32")), ("xprv", .null), ("xpub", .string(key.key.text(account.slip132))),
        ])
    }
}
