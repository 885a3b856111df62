import SmartCard

/// What happened at a reader of which only the name matters.
extension ReaderEvent {
    /// A reader of this name came.
    public static func readerAttached(spec: String) -> ReaderEvent { .readerAttached(NamedReader(spec: spec)) }
    /// A reader of this name went.
    public static func readerDetached(spec: String) -> ReaderEvent { .readerDetached(NamedReader(spec: spec)) }
    /// A card was laid on a reader of this name.
    public static func cardInserted(spec: String) -> ReaderEvent { .cardInserted(NamedReader(spec: spec)) }
    /// A card was taken off a reader of this name.
    public static func cardRemoved(spec: String) -> ReaderEvent { .cardRemoved(NamedReader(spec: spec)) }
}

/// A reader that has a name and nothing else.
private struct NamedReader: CardReader {
    let spec: String
    var name: String { spec }
    let kind = ReaderKind.sim

    func connect() throws(ReaderError) -> any CardChannel { throw ReaderError(.readerGone, "It is only a name.") }
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        throw ReaderError(.readerGone, "It is only a name.")
    }
    func cancelWaiting() {}
}
