/// What tests need from a card besides its record.
extension SimulatedCard {
    /// Another card with the same content, in memory, whose `wait` takes no time.
    package func copied() -> SimulatedCard { SimulatedCard(state: state, file: nil, waitDuration: .zero) }

    /// Another card with the same content but these habits, in memory, whose `wait` takes no time.
    /// - Throws: `SimulatedCardError.badOptions` for habits that exclude each other.
    package func copied(habits: Set<CardHabit>) throws(SimulatedCardError) -> SimulatedCard {
        guard CardHabit.canBeTogether(habits) else {
            throw SimulatedCardError(.badOptions, "These habits exclude each other.")
        }
        var state = state
        state.habits = habits
        let certificates = try state.factory.certificates(
            for: record.cardKey, header: habits.certificateHeader ?? .segwit, count: habits.certificateCount)
        state.certificates = certificates.map(HexBytes.init)
        return SimulatedCard(state: state, file: nil, waitDuration: .zero)
    }

    /// The chain code under a SATSCARD slot's key; `nil` for a slot without a key, and on other products.
    package func slotChainCode(at index: Int) -> [UInt8]? {
        guard case .satscard(let slots) = state.content else { return nil }
        return slots.key(at: index)?.chainCode
    }
}
