import Bitcoin
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The tutorial "Sign a PSBT", at work.
@Suite struct SigningAPSBTTests {
    /// What the person was asked, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    private func window(
        _ signer: TutorialSigner, _ log: Log = Log(), cvc: CVC? = nil, isAgreed: Bool = true
    ) -> Window {
        Window(
            isAgreed: { review, findings in
                log.add("\(review.inputs.count) in, \(review.outputs.count) out")
                return isAgreed && findings.allSatisfy { $0.severity < .refusal }
            },
            typedCVC: { _ in
                log.add("CVC")
                return cvc ?? signer.cvc
            })
    }

    @Test func aPSBTBecomesATransaction() async throws {
        let signer = try await TutorialSigner()
        let log = Log()
        let result = try await sign(
            signer.psbt().encoded(as: .base64), with: [SimulatedBackend([signer.reader])],
            window: window(signer, log), keeping: .memory(), acceptedRoots: [signer.root])
        let transaction = try #require(result.transaction)
        #expect(log.all == ["1 in, 1 out", "CVC"])
        #expect(transaction.outputs.map(\.value) == [99_000])
        try await result.psbt.expectVerified()
    }

    /// A no comes before the CVC: the card is asked for nothing.
    @Test func noIsNo() async throws {
        let signer = try await TutorialSigner()
        let (before, log) = (signer.reader.exchangeCounts, Log())
        await #expect(throws: Declined.self) {
            try await sign(
                signer.psbt().encoded(as: .base64), with: [SimulatedBackend([signer.reader])],
                window: window(signer, log, isAgreed: false), keeping: .memory(), acceptedRoots: [signer.root])
        }
        #expect(log.all == ["1 in, 1 out"])
        let asked = signer.reader.exchangeCounts.filter { $0.value != before[$0.key, default: 0] }
        #expect(Set(asked.keys).isSubset(of: ["select", "status"]))
    }

    @Test func aWrongCVCIsTriedOnce() async throws {
        let signer = try await TutorialSigner()
        let log = Log()
        await #expect(throws: FlowError.self) {
            try await sign(
                signer.psbt().encoded(as: .base64), with: [SimulatedBackend([signer.reader])],
                window: window(signer, log, cvc: CVC("654321")), keeping: .memory(),
                acceptedRoots: [signer.root])
        }
        #expect(log.all == ["1 in, 1 out", "CVC"])
    }

    @Test func aCardThatIsNotGenuineSignsNothing() async throws {
        let signer = try await TutorialSigner()
        let file = try signer.psbt().encoded(as: .base64)
        let before = signer.reader.exchangeCounts["sign"]
        await #expect(throws: FlowError.self) {
            try await sign(
                file, with: [SimulatedBackend([signer.reader])], window: window(signer), keeping: .memory())
        }
        #expect(signer.reader.exchangeCounts["sign"] == before)
    }
}
