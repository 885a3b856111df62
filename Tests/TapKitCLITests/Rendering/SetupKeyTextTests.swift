import Testing

@testable import TapKitCLI

/// What is said about the age of a card's key: as much as is known, and no more.
@Suite struct SetupKeyTextTests {
    @Test func whatOnlyTheStoreSaysIsNotCalledNewOrProven() {
        let line = SetupVerb.keyLine(isNew: false, isOfEarlierSetup: true)
        #expect(line.contains("from an interrupted setup, according to the local store"))
        #expect(!line.contains("new") && !line.contains("proven"))
        #expect(SetupVerb.earlierSetupWarning.contains("do not use the card"))
    }

    @Test func aKeyIsNewOrUnchanged() {
        #expect(SetupVerb.keyLine(isNew: true, isOfEarlierSetup: false).contains("new"))
        #expect(SetupVerb.keyLine(isNew: false, isOfEarlierSetup: false) == "  Key: unchanged")
    }
}
