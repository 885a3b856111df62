/// What tests need of a card beyond its record.
extension SimulatedCard {
    /// Another card with the same content, in memory, whose `wait` takes no time.
    package func copied() -> SimulatedCard { SimulatedCard(state: state, file: nil, waitDuration: .zero) }

    /// The chain code under a SATSCARD slot's key; `nil` for a slot without a key, and on other products.
    package func slotChainCode(at index: Int) -> [UInt8]? {
        guard case .satscard(let slots) = state.content else { return nil }
        return slots.key(at: index)?.chainCode
    }
}
