/// A change at a reader, reported as it happens. Two events are equal if the same happened at readers with the same name.
public enum ReaderEvent: Sendable {
    /// A reader was plugged in, or was there when watching began.
    case readerAttached(any CardReader)
    /// A reader was unplugged.
    case readerDetached(any CardReader)
    /// A card was put on a reader, or was there when watching began.
    case cardInserted(any CardReader)
    /// The card was taken off a reader.
    case cardRemoved(any CardReader)
}

extension ReaderEvent {
    /// The reader concerned. One that was unplugged may come back under the same name.
    public var reader: any CardReader {
        switch self {
        case .readerAttached(let reader), .readerDetached(let reader), .cardInserted(let reader),
            .cardRemoved(let reader):
            reader
        }
    }

    /// The name that this reader is asked for with.
    public var spec: String { reader.spec }
}

extension ReaderEvent: Equatable {
    /// Whether the same happened at readers of the same name.
    public static func == (left: ReaderEvent, right: ReaderEvent) -> Bool {
        switch (left, right) {
        case (.readerAttached, .readerAttached), (.readerDetached, .readerDetached), (.cardInserted, .cardInserted),
            (.cardRemoved, .cardRemoved):
            left.spec == right.spec
        default: false
        }
    }
}
