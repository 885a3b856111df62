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

    /// The card.
    /// - Throws: `Failure`: `.noCard` when there is none, `.ambiguousCard` when several would do.
    func find() async throws(Failure) -> CardAccess {
        let found = try await findAll()
        guard let only = found.first, found.count == 1 else { throw ambiguous(found) }
        return only
    }

    /// Every card that would do, in the order of the readers; at least one.
    /// - Throws: `Failure`: `.noCard` when there is none, and what keeps the readers from telling.
    func findAll() async throws(Failure) -> [CardAccess] {
        var found: [CardAccess] = []
        var problem: Failure?
        for look in await looks(at: try readers()) {
            switch look {
            case .success(let access?): found.append(access)
            case .success(nil): break
            case .failure(let failure): problem = problem ?? failure
            }
        }
        let others = found
        if let filter = identFilter {
            found = found.filter { $0.status.ident.description.contains(filter) }
        }
        guard found.isEmpty else { return found }
        throw problem ?? absent(others)
    }

    /// What lies on each of the readers, in their order, all looked at at once.
    func looks(at readers: [any CardReader]) async -> [Result<CardAccess?, Failure>] {
        await withTaskGroup(of: (Int, Result<CardAccess?, Failure>).self) { group in
            for (index, reader) in readers.enumerated() {
                group.addTask {
                    do throws(Failure) { return (index, .success(try await look(at: reader))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
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
    /// - Throws: `Failure`: `.noService`, `.noReader`, `.simFileNotFound`, ….
    func readers() throws(Failure) -> [any CardReader] {
        switch spec {
        case .simulated(let file):
            guard access(file, F_OK) == 0 else {
                throw Failure(
                    .simFileNotFound, "There is no simulated card \(file).", hint: "tapkit sim new makes one.")
            }
            return [SimulatedReader(path: file)]
        case .pcsc(nil): return try Self.pcscReaders()
        case .pcsc(let text?):
            let matching = try Self.pcscReaders().filter { $0.name.lowercased().contains(text.lowercased()) }
            guard !matching.isEmpty else {
                throw Failure(
                    .noReader, "No PC/SC reader has “\(text)” in its name.", hint: "tapkit readers lists them.")
            }
            return matching
        case .nfc(let connection?): return [NFCReader(connection)]
        case .nfc(nil):
            let readers = NFCBackend().readers()
            guard !readers.isEmpty else { throw Failure(NFCBackend.noReader) }
            return readers
        }
    }

    private static func pcscReaders() throws(Failure) -> [PCSCReader] {
        do { return try PCSCBackend().readers() } catch { throw Failure(error) }
    }

    private func absent(_ others: [CardAccess]) -> Failure {
        guard let identFilter else { return Failure(.noCard, "No card lies on the reader.") }
        let instead = others.isEmpty ? "" : " There are:"
        return Failure(
            .noCard,
            lines: ["No card whose ident contains \(identFilter) lies on a reader." + instead] + Self.list(others))
    }

    /// Says that a person has to choose.
    func ambiguous(_ found: [CardAccess]) -> Failure {
        Failure(
            .ambiguousCard, lines: ["Several cards would do:"] + Self.list(found),
            hint: "Choose with --reader or --card.")
    }

    private static func list(_ cards: [CardAccess]) -> [String] {
        cards.map { "  \($0.status.product.displayName) \($0.status.ident) on \($0.reader.spec)" }
    }
}
