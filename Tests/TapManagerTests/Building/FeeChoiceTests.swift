import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// What is paid, and what no server may say.
@Suite struct FeeChoiceTests {
    private func rate(_ text: String) throws -> FeeRate { try FeeRate(parsing: text) }

    @Test func theServersMinimumIsPaidInAnyCase() throws {
        #expect(try FeeChoice.rate(estimate: rate("3"), minimum: rate("1")) == rate("3"))
        #expect(try FeeChoice.rate(estimate: rate("1"), minimum: rate("5")) == rate("5"))
        #expect(throws: FeeError.noEstimate) { try FeeChoice.rate(estimate: nil, minimum: rate("5")) }
    }

    @Test func aRateIsNotBelievedWithoutBounds() throws {
        #expect(try FeeChoice.rate(estimate: rate("500"), minimum: rate("1")) == rate("500"))
        let high = try rate("500.001")
        #expect(throws: FeeError.unbelievable(high)) { try FeeChoice.rate(estimate: high, minimum: rate("1")) }
        #expect(throws: FeeError.unbelievable(high)) { try FeeChoice.rate(estimate: rate("1"), minimum: high) }
    }

    @Test func whatIsAskedOfAServerIsTold() async throws {
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let chain = FakeChain()
        func manager(_ servers: ChainServers?) -> CardManager {
            CardManager(
                store: MemoryStore(), chain: servers, interaction: person, clock: { UnixTime(seconds: 7) })
        }
        let offline = manager(nil)
        #expect(try await offline.feeRate(.rate(rate("9")), on: .regtest) == rate("9"))
        await #expect(throws: FeeError.noServer) { try await offline.feeRate(.usual, on: .regtest) }
        let manager = manager(ChainServers(chain))
        await #expect(throws: FeeError.noEstimate) { try await manager.feeRate(.usual, on: .regtest) }
        #expect(person.words.isEmpty && chain.calls("feeRate") == 1)
        chain.estimate(try rate("4"))
        #expect(try await manager.feeRate(.target(blocks: 2), on: .regtest) == rate("4"))
        guard case .notice(.feeRate(let told, blocks: 2))? = person.entries.first else {
            throw ScriptedInteraction.Declined()
        }
        #expect(try told == rate("4"))
    }
}
