import Bitcoin
import ByteCodec
import Foundation
import TapManager
import Testing

/// Accounts and wallets to export, of the seed that SLIP-132's vectors are of, and of others made like it.
enum ExportSamples {
    /// The seed of "abandon … about", for the first key; for the others with another last byte.
    static func master(_ number: UInt8 = 0, _ network: KeyNetwork = .main) throws -> ExtendedPrivateKey {
        var seed = try Hex.decode(
            "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1"
                + "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4")
        seed[63] ^= number
        return try ExtendedPrivateKey(seed: SecretBytes(seed), network: network)
    }

    /// The account at a path.
    static func account(_ path: String, _ number: UInt8 = 0, _ network: KeyNetwork = .main) throws -> Account {
        let (master, path) = (try master(number, network), try DerivationPath(parsing: path))
        let key = try master.descendant(path).neutered
        return Account(masterFingerprint: master.neutered.fingerprint, path: path, key: key)
    }

    /// A card's account as a source.
    static func source(
        _ path: String, kinds: [ScriptKind]? = nil, network: Network = .main, label: String = "Sample",
        birthHeight: Int = 840_000
    ) throws -> ExportSource {
        let account = try account(path, 0, network.keyNetwork)
        return try ExportSource(
            account, kinds: kinds ?? DescriptorExport.kinds(of: account.path), label: label, network: network,
            birthHeight: birthHeight)
    }

    /// A wallet of these descriptors.
    static func source(
        descriptors: [String], network: Network = .main, label: String = "Sample"
    ) throws -> ExportSource {
        let draft = try WalletDraft(name: WalletName(parsing: label), network: network, descriptors: descriptors)
        return ExportSource(draft.wallet)
    }

    /// A wallet that two of three keys open.
    static func multisig(
        _ kind: MultisigKind, network: Network = .main, keyCount: Int = 3, sorted: Bool = true, label: String = "Sample"
    ) throws -> ExportSource {
        let coin = network == .main ? 0 : 1
        let path =
            switch kind {
            case .p2sh: "m/45h"
            case .p2shP2WSH: "m/48h/\(coin)h/0h/1h"
            case .p2wsh: "m/48h/\(coin)h/0h/2h"
            }
        let keys = try (0..<keyCount).map {
            "\(AccountKey(try account(path, UInt8($0), network.keyNetwork)))/<0;1>/*"
        }
        let text = kind.descriptor(of: "\(sorted ? "sorted" : "")multi(2,\(keys.joined(separator: ",")))")
        return try source(descriptors: [text], network: network, label: label)
    }
}

extension String {
    /// The JSON object that the text is.
    func jsonObject() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any])
    }

    /// The JSON array of objects that the text is.
    func jsonObjects() throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(utf8)) as? [[String: Any]])
    }
}
