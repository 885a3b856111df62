import CardReaders
import Glibc
import SmartCard
import TapProtocol
import TapSimulator

/// Looks through the readers for the one card that was asked for.
struct CardFinder: Sendable {
    let spec: ReaderSpec
    /// What the ident must contain, upper case; `nil`: any.
    let identFilter: String?
    let trace: (@Sendable (TraceEvent) -> Void)?

    /// Between two looks; a person's hand is slower.
    private static let pause = Duration.milliseconds(200)

    /// The card.
    /// - Throws: `Failure`: `.noCard` when there is none, `.ambiguousCard` when several would do.
    func find() async throws(Failure) -> CardAccess {
        var found: [CardAccess] = []
        var problem: Failure?
        for reader in try readers() {
            do throws(Failure) {
                guard let access = try await look(at: reader) else { continue }
                found.append(access)
            } catch {
                problem = problem ?? error
            }
        }
        if let filter = identFilter {
            found = found.filter { $0.status.ident.description.contains(filter) }
        }
        if found.count > 1 { throw ambiguous(found) }
        if let only = found.first { return only }
        throw problem ?? absent
    }

    /// The card, as soon as it is there.
    /// - Throws: `Failure.timedOut`, `.interrupted`, and what cannot be waited off.
    func wait(_ waiting: Waiting, console: Console) async throws(Failure) -> CardAccess {
        let deadline = waiting.limit.map { ContinuousClock.now.advanced(by: $0) }
        var isAnnounced = false
        while true {
            do throws(Failure) {
                return try await find()
            } catch {
                guard error.code.passesWithTime else { throw error }
                if let deadline, ContinuousClock.now >= deadline {
                    throw Failure(.timedOut, "No card came in time. \(error.message)", hint: error.hint)
                }
            }
            if !isAnnounced {
                console.note("Lay the card on the reader…")
                isAnnounced = true
            }
            do { try await Task.sleep(for: Self.pause) } catch { throw .interrupted }
        }
    }

    /// The card on a reader; `nil` when there is none.
    func look(at reader: any CardReader) async throws(Failure) -> CardAccess? {
        let card = TapCard(reader: reader, trace: trace)
        do {
            let status = try await card.perform { $0.status }
            return CardAccess(card: card, status: status, reader: reader)
        } catch {
            if case TapError.reader(let error) = error, error.code == .noCard { return nil }
            throw Failure(unexpected: error)
        }
    }

    /// The readers that were asked for.
    func readers() throws(Failure) -> [any CardReader] {
        do {
            switch spec {
            case .simulated(let file):
                guard access(file, F_OK) == 0 else {
                    throw Failure(
                        .simFileNotFound, "There is no simulated card \(file).", hint: "tapkit sim new makes one.")
                }
                return [SimulatedReader(path: file)]
            case .pcsc(nil): return try PCSCBackend().readers()
            case .pcsc(let text?):
                let matching = try PCSCBackend().readers().filter {
                    $0.name.lowercased().contains(text.lowercased())
                }
                guard !matching.isEmpty else {
                    throw Failure(
                        .noReader, "No PC/SC reader has “\(text)” in its name.", hint: "tapkit readers lists them.")
                }
                return matching
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(unexpected: error)
        }
    }

    private var absent: Failure {
        guard let identFilter else { return Failure(.noCard, "No card lies on the reader.") }
        return Failure(.noCard, "No card whose ident contains \(identFilter) lies on a reader.")
    }

    private func ambiguous(_ found: [CardAccess]) -> Failure {
        let list = found.map { "\n  \($0.status.product.displayName) \($0.status.ident) on \($0.reader.spec)" }.joined()
        return Failure(
            .ambiguousCard, "Several cards would do:\(list)", hint: "Choose with --reader or --card.")
    }
}
