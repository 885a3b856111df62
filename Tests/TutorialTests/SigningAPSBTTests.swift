import Bitcoin
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The tutorial "Sign a PSBT", at work.
@Suite struct SigningAPSBTTests {
    @Test func aPSBTBecomesATransaction() async throws {
        let signer = try await TutorialSigner()
        let store = MemoryStore()
        let fee = Mutex<String?>(nil)
        let result = try await sign(
            signer.psbt().encoded(as: .base64), on: signer.reader, cvc: signer.cvc, keeping: store,
            acceptedRoots: [signer.root]
        ) { review, findings in
            fee.withLock { $0 = "\(review.inputs.count) in, \(review.outputs.count) out" }
            return findings.allSatisfy { $0.severity < .refusal }
        }
        let transaction = try #require(result?.transaction)
        #expect(fee.withLock { $0 } == "1 in, 1 out")
        #expect(transaction.outputs.map(\.value) == [99_000])
        try await #require(result).psbt.expectVerified()
    }

    @Test func noIsNo() async throws {
        let signer = try await TutorialSigner()
        let before = signer.reader.exchangeCounts["sign", default: 0]
        let result = try await sign(
            signer.psbt().encoded(as: .base64), on: signer.reader, cvc: signer.cvc, keeping: MemoryStore(),
            acceptedRoots: [signer.root]
        ) { _, _ in false }
        #expect(result == nil)
        // Nothing but the probe of its account.
        #expect(signer.reader.exchangeCounts["sign", default: 0] - before == 1)
    }

    @Test func aCardThatIsNotGenuineSignsNothing() async throws {
        let signer = try await TutorialSigner()
        let file = try signer.psbt().encoded(as: .base64)
        let before = signer.reader.exchangeCounts["sign"]
        await #expect(throws: FlowError.self) {
            try await sign(file, on: signer.reader, cvc: signer.cvc, keeping: MemoryStore()) { _, _ in true }
        }
        #expect(signer.reader.exchangeCounts["sign"] == before)
    }
}
