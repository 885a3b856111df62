import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// A wallet and the planner over it, for tests that bend one thing of a PSBT.
struct PlanBench {
    let wallet: SampleWallet
    var policy = SigningPolicy()
    var network = Network.test
    /// The network of the wallet's keys, for tests in which it matters.
    var signerNetwork: KeyNetwork?

    init() throws { wallet = try SampleWallet(seed: 1) }

    /// Plans as the flow does: with the keys of every account that the PSBT calls for.
    func plan(_ psbt: PSBT) throws -> SigningPlan {
        var planner = SigningPlanner(psbt: psbt, network: network, policy: policy)
        planner.signerNetwork = signerNetwork
        let present = try wallet.accountPath(.p2wpkh)
        var keys = SignerKeys(
            masterFingerprint: wallet.fingerprint, accounts: [present: try wallet.extendedKey(present)])
        for account in try planner.accounts(of: wallet.fingerprint) {
            keys.add(try wallet.extendedKey(account), at: account)
        }
        return try planner.plan(keys: keys, present: present, final: present)
    }

    /// The codes for which a PSBT is refused; empty when it is not.
    func refusals(_ psbt: PSBT) throws -> [FindingCode] {
        do {
            _ = try plan(psbt)
            return []
        } catch let refusal as SigningRefusal {
            return refusal.findings.map(\.code)
        }
    }

    /// The codes of the warnings about a PSBT that is not refused.
    func warnings(_ psbt: PSBT) throws -> [FindingCode] {
        try plan(psbt).findings.filter { $0.severity == .warning }.map(\.code)
    }
}
