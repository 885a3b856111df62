import Bitcoin
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The tutorial "Add a check of your own", at work.
@Suite struct AddingACheckTests {
    private static func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    /// Plans to pay 99 000 sat for a fee of 1 000.
    private func findings(
        paying allowed: (Script) -> Bool = { _ in true }, limit: Int64 = 100_000, before: Int64 = 0
    ) async throws -> [Finding] {
        let signer = try await TutorialSigner()
        let psbt = try signer.psbt()
        let payee = psbt.unsignedTransaction.outputs[0].scriptPubKey
        let before = try Self.amount(before)
        let policy = CompanyPolicy(
            allowed: allowed(payee) ? [payee] : [], dailyLimit: try Self.amount(limit),
            spentToday: { $0 == psbt.unsignedTransaction.id ? before : .maximum })
        let seen = Mutex<[Finding]>([])
        let window = Window(
            isAgreed: { _, findings in
                seen.withLock { $0 = findings }
                return true
            }, typedCVC: { _ in signer.cvc })
        let manager = CardManager(
            store: .memory(), readers: [SimulatedBackend([signer.reader])], interaction: window,
            acceptedRoots: [signer.root], clock: { UnixTime(seconds: 5) })
        let signatures = signer.reader.exchangeCounts["sign", default: 0]
        do {
            let signing = try await manager.sign(psbt, policy: companyRules(policy))
            #expect(seen.withLock { $0 } == signing.findings)
            return signing.findings
        } catch FlowError.refused(let findings) {
            // The probe of the account alone.
            #expect(signer.reader.exchangeCounts["sign", default: 0] - signatures == 1)
            return findings
        }
    }

    @Test func whatTheRulesAllowPasses() async throws {
        #expect(try await findings().filter { $0.code == .policy }.isEmpty)
    }

    @Test func aStrangerIsNotPaid() async throws {
        let found = try await findings(paying: { _ in false })
        #expect(found == [.policy(.refusal, .output(0), "pays somebody who is not on the list.")])
    }

    /// Fees count; what was sent before counts; a sum beyond all money is above every limit.
    @Test(arguments: [(99_999, 0), (100_000, 1), (2_100_000_000_000_000, 2_100_000_000_000_000)] as [(Int64, Int64)])
    func aboveTheLimitSomebodyMustAnswer(_ limit: Int64, _ before: Int64) async throws {
        let found = try await findings(limit: limit, before: before).filter { $0.code == .policy }
        #expect(found.map(\.severity) == [.warning] && found.allSatisfy { $0.code.needsAcceptance })
    }
}
