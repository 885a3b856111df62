import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TestSupport
import Testing

/// Whoever can write the store, and no more, has keys of his own in it as proven ones: none of them is taken for the card's.
@Suite struct StoreWriterTests {
    @Test(
        arguments: Story.signers.filter {
            ["xpub", "xpub --master", "derive", "hwi getxpub", "sign"].contains($0.name)
        })
    func aForgedMasterKeyIsNotTheCards(_ story: Story) async throws {
        try await expectRefusal(of: story, at: "m")
    }

    @Test(
        arguments: Story.signers.filter {
            ["xpub", "xpub --master", "hwi getxpub", "message sign", "sign"].contains($0.name)
        })
    func aForgedAccountIsNotTheCards(_ story: Story) async throws {
        try await expectRefusal(of: story, at: "m/84h/1h/0h")
    }

    private func expectRefusal(of story: Story, at text: String) async throws {
        let bench = try await story.twins().attacked
        let path = try DerivationPath(parsing: text)
        let thief = try Relay(.inventedAccount).master
        try bench.store.save(
            ProvenAccount(
                cardKey: bench.record.cardKey, path: path, key: thief.descendant(path).neutered,
                proven: UnixTime(seconds: 1)))
        let failure = await expectFailure { try await story.tell(bench) }
        #expect(failure?.failedProof == .remembered)
    }
}
