/// What happens at the readers, as it happens.
public enum ReaderEvent: Sendable, Equatable {
    /// A reader was plugged in, or was there when watching began.
    case readerAttached(spec: String)
    /// A reader was unplugged.
    case readerDetached(spec: String)
    /// A card was laid on a reader, or lay there when watching began.
    case cardInserted(spec: String)
    /// The card was taken off a reader.
    case cardRemoved(spec: String)
}

extension ReaderEvent {
    /// The reader that it is about, by the name that it is asked for with.
    public var spec: String {
        switch self {
        case .readerAttached(let spec), .readerDetached(let spec), .cardInserted(let spec), .cardRemoved(let spec): spec
        }
    }
}
