import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// The lies are worth their name: who believes a server is told of by the oracle, by each lie that can be seen at all.
@Suite struct ServerMutantTests {
    /// Of these nobody can know: they are the server's word, and its silence.
    private static let unprovable: Set<ServerLie> = [.inventedDeposit, .withheldSpend, .withheldDeposit, .reordered]

    @Test(arguments: ServerLie.allCases) func whoBelievesIsDeceived(_ lie: ServerLie) throws {
        var generator = SeededGenerator(for: "\(lie)")
        var deceived = 0
        for _ in 0..<40 {
            var story = try ServerStory(using: &generator)
            let before = try WalletOracle(story).faults(of: NaiveReading(of: story).answer)
            #expect(before.isEmpty, "\(before)")
            try story.tell(lie, using: &generator)
            let answer = try NaiveReading(of: story).answer
            let isTooMuch = answer.balance(isConfirmed: true) == nil || answer.balance(isConfirmed: false) == nil
            if try isTooMuch || !WalletOracle(story).faults(of: answer).isEmpty { deceived += 1 }
        }
        #expect((deceived > 0) != Self.unprovable.contains(lie))
    }
}
