extension USBReaderServer {
    /// Creates a server with a simulated card on the reader; see the other initializer.
    public convenience init(
        card: SimulatedCard, model: USBReaderModel, path: String,
        report: @escaping @Sendable (USBReaderEvent) -> Void = { _ in }
    ) throws(SimulatedCardError) {
        try self.init(target: card, model: model, path: path, report: report)
    }
}
