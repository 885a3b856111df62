import Bitcoin
import ByteCodec
import Testing

@Suite struct BlockHeaderTests {
    /// The first blocks of three networks; their headers differ in time, bits and nonce alone.
    @Test(
        arguments: [
            (Network.main, "29ab5f49ffff001d1dac2b7c", 1_231_006_505),
            (.test, "dae5494dffff001d1aa4ae18", 1_296_688_602),
            (.regtest, "dae5494dffff7f2002000000", 1_296_688_602), (.signet, "008f4d5fae77031e8ad22203", 1_598_918_400),
        ] as [(Network, String, UInt32)])
    func hashesTheFirstBlock(_ network: Network, _ end: String, _ time: UInt32) throws {
        let start =
            "01000000" + String(repeating: "00", count: 32)
            + "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a"
        let header = try #require(BlockHeader(serialized: try Hex.decode(start + end)))
        #expect(header.hash == network.genesisHash)
        #expect(header.time == time)
        #expect(header.previous.bytes == [UInt8](repeating: 0, count: 32))
        #expect(Network(genesisHash: header.hash) == network)
    }

    @Test func tellsNetworksApart() throws {
        #expect(Set(Network.allCases.map(\.genesisHash)).count == Network.allCases.count)
        #expect(Network.allCases.allSatisfy { $0.genesisHash.bytes.count == 32 })
        #expect(Network(genesisHash: try #require(BlockHash(SHA256.hash([])))) == nil)
    }

    @Test(arguments: [0, 79, 81, 112]) func refusesOtherLengths(_ count: Int) {
        #expect(BlockHeader(serialized: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func readsHashesAsPeopleSeeThem() throws {
        let text = Network.main.genesisHash.description
        #expect(text == "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f")
        #expect(BlockHash(parsing: text)?.bytes.last == 0)
        #expect(BlockHash(parsing: text.dropLast()) == nil && BlockHash(parsing: text + "00") == nil)
        #expect(BlockHash([1, 2]) == nil)
    }
}
