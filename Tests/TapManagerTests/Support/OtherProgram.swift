import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator

@testable import TapManager

/// Another program that uses the card between two steps of ours.
enum OtherProgram: CaseIterable, Sendable {
    /// The card keeps its power and its selection; only the nonce has moved on.
    case sharing
    /// It resets the card when it is done: our selection is lost.
    case resetting

    /// Does something to the card.
    func use<Value: Sendable>(_ bench: FlowBench, _ body: (CardDriver) async throws -> Value) async throws -> Value {
        let card = TapCard(reader: SharedReader(card: bench.simulated))
        let driver = CardDriver(
            card: card, ident: bench.ident, customRoots: [try SimulatedFactory.standard.rootKey],
            journal: .inMemory(of: bench.ident))
        let value = try await body(driver)
        await card.disconnect()
        if self == .resetting {
            bench.simulated.powerOff()
            try bench.simulated.powerOn()
        }
        return value
    }

    /// Opens the sealed slot.
    func unseal(_ bench: FlowBench) async throws {
        _ = try await use(bench) { driver in
            let plan = try UnsealPlan(for: try await driver.card.perform { $0.status })
            return try await UnsealFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run(plan)
        }
    }

    /// Sets the next slot up.
    func setUpNextSlot(_ bench: FlowBench, chainCode: ChainCode) async throws {
        _ = try await use(bench) { driver in
            try await NextSlotFlow(
                driver: driver, cvc: CVC(FlowBench.cvc), chainCode: chainCode, isChainCodeNamed: false
            ).run()
        }
    }
}
