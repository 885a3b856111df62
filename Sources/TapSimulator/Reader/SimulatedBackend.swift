import ExplainedErrors
import Glibc
import SmartCard

/// Simulated readers: that of a card whose state is a file, or those that a program made.
public struct SimulatedBackend: ReaderBackend {
    /// The card's file; `nil`: the cards are in memory.
    package let path: String?
    private let all: [SimulatedReader]

    /// The reader of one card. Nothing is opened yet.
    /// - Parameter path: the card's file.
    public init(path: String) {
        self.path = path
        all = [SimulatedReader(path: path)]
    }

    /// Readers with cards in memory, or none.
    public init(_ readers: [SimulatedReader]) {
        path = nil
        all = readers
    }

    /// The readers; none where the card's file is not there.
    public func readers() -> [any CardReader] {
        guard let path else { return all }
        return access(path, F_OK) == 0 ? all : []
    }

    /// There is no such file.
    public var noReader: any ExplainedError {
        SimulatedCardError(
            .notFound, path.map { "There is no simulated card \($0)." } ?? "There is no simulated reader.")
    }

    /// What happens at the readers. A file tells nothing but that a card is there: whoever waits looks at it again in a while.
    public func events() -> AsyncStream<ReaderEvent> { ReaderWatch.merged(all.map { $0.events() }) }
}
