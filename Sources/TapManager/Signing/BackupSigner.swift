import Bitcoin
import TapProtocol

/// Signs a PSBT with the key in a decrypted backup when the card is lost. `prepare` makes the plan that the card would
/// get, the user reviews it, and `sign` carries it out.
///
/// This takes the key out of its card. Private keys live no longer than the call that derives them, in memory that is
/// wiped.
package struct BackupSigner: Sendable {
    /// How many accounts are derived, of those that only the stored PSBT names: far more than anyone uses, and little
    /// work.
    private static let mostEarlierAccounts = 256

    private let backup: Backup

    /// A signer with a backup's key.
    package init(_ backup: Backup) { self.backup = backup }

    /// The fingerprint of the backup's master key.
    package var fingerprint: Fingerprint { backup.masterKey.neutered.fingerprint }

    /// Derives the keys that the PSBT uses, and makes a plan. Refuses what `SignFlow.prepare` refuses, including paths
    /// at which the key could sign but the card could not.
    /// - Parameters:
    ///   - network: the requested one; `nil`: the backup's.
    ///   - store: its wallets show which indexes are in use, so that change beyond the inputs' indexes does not count
    ///     as unusual; what the transaction's wallet calls change is checked against the keys. `nil`: no store.
    /// - Throws: `FlowError`: `.refused`, `.nothingToSign`.
    package func prepare(
        _ psbt: PSBT, network: Network?, policy: SigningPolicy, store: (any Store)? = nil
    ) throws(FlowError) -> SigningPlan {
        let own = try account(at: backup.path)
        let wallet = (try? store?.wallet(of: psbt)).flatMap { $0 }
        var planner = try SigningPlanner(
            psbt: psbt, network: network, signer: "The backup", signerNetwork: backup.masterKey.network, policy: policy,
            wallet: wallet)
        planner.earlier = (try? store?.earlierClaims(for: psbt)) ?? [:]
        var keys = SignerKeys(masterFingerprint: own.masterFingerprint, accounts: [own.path: own.key])
        for path in try planner.otherAccounts(of: own.masterFingerprint, than: own.path) {
            keys.add(try account(at: path).key, at: path)
        }
        let earlier = planner.earlierAccounts(of: own.masterFingerprint).subtracting(keys.accounts.keys)
        let likeliest = earlier.sorted { ($0.steps.count, "\($0)") < ($1.steps.count, "\($1)") }
        for path in likeliest.prefix(Self.mostEarlierAccounts) {
            if let account = try? account(at: path) { keys.add(account.key, at: path) }
        }
        return try planner.decide(keys: keys, present: own.path, final: own.path, store: store)
    }

    /// Carries out the plan. Never throws: whatever happens, the result has what was signed.
    ///
    /// Every signature follows RFC 6979 with low S and low R, and is verified over the plan's digest with the key that
    /// the PSBT names.
    /// - Returns: the PSBT, finalized as far as its signatures allow, and why some are missing; `nil` if none are.
    package func sign(_ plan: SigningPlan) -> (result: SigningResult, interruption: FlowError?) {
        let collector = SignatureCollector(plan)
        var interruption: FlowError?
        do throws(FlowError) {
            for stage in plan.stages { try sign(stage, into: collector) }
        } catch {
            interruption = error
        }
        return (SigningResult(collector.psbt, added: collector.added), interruption)
    }

    private func sign(_ stage: SigningPlan.Stage, into collector: SignatureCollector) throws(FlowError) {
        // Branch keys are kept during a stage, so that a thousand inputs cost one derivation each.
        var branches: [DerivationPath: ExtendedPrivateKey] = [:]
        for item in stage.items {
            guard !Task.isCancelled else { throw .interrupted }
            let branchPath = stage.account.appending(DerivationPath(item.subpath.steps.dropLast()))
            do {
                let branch = try branches[branchPath] ?? backup.masterKey.descendant(branchPath)
                branches[branchPath] = branch
                let key = try branch.descendant(DerivationPath(item.subpath.steps.suffix(1))).privateKey
                collector.add(try Self.signature(of: item, by: key), for: item)
            } catch {
                throw FlowError(error)
            }
        }
    }

    private static func signature(of item: SigningPlan.Item, by key: PrivateKey) throws -> ECDSASignature {
        let signature = key.signGrindingLowR(digest: item.digest)
        guard key.publicKey == item.publicKey, signature.hasLowS, signature.hasLowR,
            item.publicKey.isValid(signature, for: item.digest)
        else { throw WrongSignature() }
        return signature
    }

    /// The key or its signature is not what was planned: a fault in this program or machine.
    private struct WrongSignature: Error {}

    private func account(at path: DerivationPath) throws(FlowError) -> Account {
        do { return try backup.account(at: path) } catch { throw .card(error) }
    }
}
