import Bitcoin
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// What is said before a transaction is deleted.
@Suite struct DeletionQuestionTests {
    /// The store is all that knows of a payment that a server may still pass on.
    @Test func whatAServerWasGivenIsTold() throws {
        var stored = StoredTransaction(
            psbt: try SampleWallet(seed: 1).psbt(), created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        func isTold() -> Bool {
            let told = [false, true].map { canBeBumped in
                let lines = QuestionText(
                    .deleteTransaction(
                        DeletionQuestion(
                            id: stored.id, summary: stored.summary, network: .test, review: nil, fault: nil,
                            canBeBumped: canBeBumped))
                ).lines
                let isTold = lines.contains { $0.hasPrefix("A chain server was given this") }
                #expect(lines.contains("To replace it, answer no and use tapkit tx bump.") == (isTold && canBeBumped))
                #expect(!lines.contains { $0.contains("spend one of the coins") })
                return isTold
            }
            #expect(told[0] == told[1])
            return told[0]
        }
        #expect(!isTold())
        stored.offered = UnixTime(seconds: 2)
        #expect(isTold())
        (stored.offered, stored.sent) = (nil, UnixTime(seconds: 2))
        #expect(isTold())
        stored.standing = ChainStanding(height: 100, tip: 300)
        #expect(!isTold())
    }
}
