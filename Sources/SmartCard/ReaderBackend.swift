import ExplainedErrors

/// A type of reader: how such readers are found, watched and opened.
///
/// A program gives its manager the backends that it wants to use. Anything that can exchange APDUs with a card can be a
/// backend.
public protocol ReaderBackend: Sendable {
    /// The readers attached now, in a stable order. An empty list is not an error. Opens no card.
    /// - Throws: `ReaderError`: `.noService`, `.permissionDenied`, ….
    func readers() throws(ReaderError) -> [any CardReader]

    /// The error to show when a reader is needed and there is none.
    var noReader: any ExplainedError { get }

    /// Why its readers cannot be used, as far as that is known without a card; `nil`: nothing is known. For programs that
    /// find out what stands between a user and a card; `nil` unless a backend says more.
    var obstacle: (any ExplainedError)? { get }

    /// Reader and card events, until the stream is ended: first the present state, then every change.
    func events() -> AsyncStream<ReaderEvent>
}

extension ReaderBackend {
    /// Nothing is known.
    public var obstacle: (any ExplainedError)? { nil }
}
