import Bitcoin
import Synchronization
import TapManager

/// The owners of the keys in plans: the card and two other cosigners. All keys are fixed.
enum PlanWallet {
    /// The card, then the others.
    static let masters: [ExtendedPrivateKey] = [7, 8, 9].map { (byte: UInt8) in
        required("a seed makes a master key") {
            try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: byte, count: 32)), network: .test)
        }
    }
    static let fingerprints = masters.map { $0.neutered.fingerprint }

    /// Paths of accounts that the card's owner might use.
    static let accounts: [DerivationPath] = ["m/84h/1h/0h", "m/44h/1h/0h", "m/49h/1h/0h", "m/48h/1h/0h/2h", "m"].map {
        text in required("a path is read") { try DerivationPath(parsing: text) }
    }

    /// Keys derived earlier: the same few are needed in nearly every run.
    private static let known = Mutex<[Seat: ExtendedPrivateKey]>([:])

    private struct Seat: Hashable {
        let holder: Int
        let path: DerivationPath
    }

    /// The key of the card (0) or another cosigner at a path.
    static func key(_ holder: Int, _ path: DerivationPath) -> ExtendedPrivateKey {
        let seat = Seat(holder: holder, path: path)
        if let key = known.withLock({ $0[seat] }) { return key }
        let key = required("every path has a key") { try masters[holder].descendant(path) }
        known.withLock { known in
            if known.count > 10_000 { known = [:] }
            known[seat] = key
        }
        return key
    }

    static func publicKey(_ holder: Int, _ path: DerivationPath) -> PublicKey { key(holder, path).neutered.publicKey }

    /// The card's extended keys that a PSBT asks for; `nil` if it asks for too many.
    static func signerKeys(for planner: SigningPlanner) -> SignerKeys? {
        guard let accounts = try? planner.accounts(of: fingerprints[0]) else { return nil }
        var keys = SignerKeys(masterFingerprint: fingerprints[0])
        for account in accounts { keys.add(key(0, account).neutered, at: account) }
        return keys
    }
}
