import Bitcoin

/// The card's public keys that a PSBT needs: enough to recognize inputs and change without the card.
package struct SignerKeys: Sendable {
    /// The fingerprint of the card's master key.
    package let masterFingerprint: Fingerprint
    /// The card's extended keys by their hardened paths, each proven by the card.
    package private(set) var accounts: [DerivationPath: ExtendedPublicKey]

    private var branches: [DerivationPath: ExtendedPublicKey] = [:]

    /// - Parameters:
    ///   - masterFingerprint: identifies the signer in PSBTs; anyone can claim it, so it proves nothing.
    ///   - accounts: the extended keys that the signer has proven, by their paths from the master key.
    package init(masterFingerprint: Fingerprint, accounts: [DerivationPath: ExtendedPublicKey] = [:]) {
        self.masterFingerprint = masterFingerprint
        self.accounts = accounts
    }

    /// No keys, with a fingerprint that a PSBT does not name: nothing in it is the signer's.
    static func nobody(in psbt: PSBT) -> SignerKeys {
        var named = Set(psbt.inputs.flatMap(\.derivations).map(\.fingerprint))
        named.formUnion(psbt.outputs.flatMap(\.derivations).map(\.fingerprint))
        var bytes: [UInt8] = [0, 0, 0, 0]
        var fingerprint = Fingerprint.zero
        while named.contains(fingerprint) {
            for index in bytes.indices {
                bytes[index] &+= 1
                if bytes[index] != 0 { break }
            }
            fingerprint = Fingerprint(bytes) ?? .zero
        }
        return SignerKeys(masterFingerprint: fingerprint)
    }

    /// Adds the extended key at a hardened path.
    package mutating func add(_ key: ExtendedPublicKey, at account: DerivationPath) { accounts[account] = key }

    /// The key at a signable path below a known account; `nil` if the account is unknown or the path has no key.
    ///
    /// Branch keys are kept, so that a thousand inputs of one account cost one derivation each.
    mutating func publicKey(at path: CardPath) -> PublicKey? {
        guard let account = accounts[path.account] else { return nil }
        guard let last = path.subpath.steps.last else { return account.publicKey }
        let branchPath = path.account.appending(DerivationPath(path.subpath.steps.dropLast()))
        let branch: ExtendedPublicKey
        if let known = branches[branchPath] {
            branch = known
        } else {
            guard let derived = try? account.descendant(DerivationPath(path.subpath.steps.dropLast())) else {
                return nil
            }
            branches[branchPath] = derived
            branch = derived
        }
        return try? branch.child(last).publicKey
    }
}

/// A path at which the card can sign: up to 8 hardened steps, which it stores, then up to 2 unhardened ones.
///
/// Spec: protocol, "Commands" (`derive`, `sign`).
package struct CardPath: Hashable, Sendable {
    /// The most hardened steps a card stores.
    package static let maximumAccountDepth = 8
    /// The most unhardened steps a signature adds.
    package static let maximumSubpathDepth = 2

    /// The hardened steps.
    package let account: DerivationPath
    /// The unhardened steps below them.
    package let subpath: DerivationPath

    /// Splits a path; `nil` if the card cannot sign there.
    package init?(_ path: DerivationPath) {
        guard let (account, subpath) = path.splitAtFirstNormalStep, account.steps.count <= Self.maximumAccountDepth,
            subpath.steps.count <= Self.maximumSubpathDepth
        else { return nil }
        self.account = account
        self.subpath = subpath
    }

    /// The path from the master key: the account's, then the steps below it.
    package var path: DerivationPath { account.appending(subpath) }

    /// Whether it is on one of the branches where wallets look by default: 0 (receive), 1 (change). A path without a branch
    /// counts as one.
    var isOnUsualBranch: Bool { subpath.steps.count != 2 || subpath.steps[0].index <= 1 }
}
