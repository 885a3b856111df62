/// A change at a reader, reported as it happens.
public enum ReaderEvent: Sendable, Equatable {
    /// A reader was plugged in, or was there when watching began.
    case readerAttached(spec: String)
    /// A reader was unplugged.
    case readerDetached(spec: String)
    /// A card was put on a reader, or was there when watching began.
    case cardInserted(spec: String)
    /// The card was taken off a reader.
    case cardRemoved(spec: String)
}

extension ReaderEvent {
    /// The reader concerned, by the name that selects it.
    public var spec: String {
        switch self {
        case .readerAttached(let spec), .readerDetached(let spec), .cardInserted(let spec), .cardRemoved(let spec): spec
        }
    }
}
