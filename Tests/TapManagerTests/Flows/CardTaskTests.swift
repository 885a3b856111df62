import TapProtocol
import Testing

@testable import TapManager

/// What a card of the wrong product cannot do.
@Suite struct CardTaskTests {
    /// Nobody confuses one refusal with another.
    @Test func everyTaskHasItsOwnWords() {
        let messages = CardTask.allCases.map { FlowError.wrongProduct(.satscard, task: $0).message }
        #expect(Set(messages).count == CardTask.allCases.count)
        #expect(messages.contains("A SATSCARD cannot make a backup."))
        #expect(messages.allSatisfy { $0.contains(/^A SATSCARD cannot [a-z][A-Za-z' ]+\.$/) })
    }
}
