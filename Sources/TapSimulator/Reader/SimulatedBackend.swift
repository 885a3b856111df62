import ExplainedErrors
import Glibc
import SmartCard

/// Simulated readers: one for a card in a file, or those that a program created.
public struct SimulatedBackend: ReaderBackend {
    /// The card's file; `nil`: the cards are in memory.
    package let path: String?
    private let all: [SimulatedReader]

    /// The reader of one card. Opens nothing yet.
    /// - Parameter path: the card's file.
    public init(path: String) {
        self.path = path
        all = [SimulatedReader(path: path)]
    }

    /// Uses readers with cards in memory, or none.
    public init(_ readers: [SimulatedReader]) {
        path = nil
        all = readers
    }

    /// The readers; none if the card's file does not exist.
    public func readers() -> [any CardReader] {
        guard let path else { return all }
        return access(path, F_OK) == 0 ? all : []
    }

    /// The error for a missing file.
    public var noReader: any ExplainedError {
        SimulatedCardError(
            .notFound, path.map { "The simulated card \($0) does not exist." } ?? "There is no simulated reader.")
    }

    /// Why the card's file contains no card.
    public var obstacle: (any ExplainedError)? {
        guard let path else { return nil }
        do throws(SimulatedCardError) { _ = try SimulatedCardRecord(path: path) } catch { return error }
        return nil
    }

    /// Events at the readers. For a file, the only event is that the card is there; to follow it, check again later.
    public func events() -> AsyncStream<ReaderEvent> { ReaderWatch.merged(all.map { $0.events() }) }
}
