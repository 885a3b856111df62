import FlowSupport
import TapManager
import TapSimulator
import TestSupport
import Testing

/// What a person does with a card, by the flows that the verbs run: every adversary stands beside each of them.
struct Story: Sendable, CustomTestStringConvertible {
    let name: String
    let product: SimulatedProduct
    /// The card before; made again for every run, always the same.
    let card: @Sendable (inout SeededGenerator) async throws -> FlowBench
    /// What the person gets: what is shown as proven, exported, stored, or called change.
    let tell: @Sendable (FlowBench) async throws -> String

    var testDescription: String { "\(product.rawValue): \(name)" }

    static let all = signers + satscards

    /// Two cards of the same content for a story, on readers of their own, and with stores that know nothing of them.
    func twins(_ seed: String = "story") async throws -> (honest: FlowBench, attacked: FlowBench) {
        var generator = SeededGenerator(for: seed)
        let original = try await card(&generator)
        return (try original.copy(store: MemoryStore()), try original.copy(store: MemoryStore()))
    }
}
