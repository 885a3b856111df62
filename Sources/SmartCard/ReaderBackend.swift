import ExplainedErrors

/// A kind of readers: how they are found, watched and, reader by reader, opened.
///
/// A program gives its manager the backends that it wants to work with; whatever knows how to move APDUs becomes one by this
/// protocol.
public protocol ReaderBackend: Sendable {
    /// The readers that are attached now, in an order that stays; none is no error. Opens no card.
    /// - Throws: `ReaderError`: `.noService`, `.permissionDenied`, ….
    func readers() throws(ReaderError) -> [any CardReader]

    /// The error for somebody who needs a reader when there is none.
    var noReader: any ExplainedError { get }

    /// What happens at the readers, until the stream is ended: first what is there now, then every change.
    func events() -> AsyncStream<ReaderEvent>
}
