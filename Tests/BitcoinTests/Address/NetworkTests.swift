import Bitcoin
import Testing

@Suite struct NetworkTests {
    @Test func namesAreThoseOfTheCommandLine() {
        #expect(Network.allCases.map(\.rawValue) == ["main", "test", "testnet4", "signet", "regtest"])
    }

    @Test func onlyTheMainNetworkHasMainKeys() {
        for network in Network.allCases { #expect((network.keyNetwork == .main) == (network == .main)) }
    }
}
