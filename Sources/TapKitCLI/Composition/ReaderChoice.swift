import CardReaders
import SmartCard
import TapSimulator

/// The readers that `tapkit readers` is about: those that were asked for, or both kinds.
struct ReaderChoice {
    private let specs: [ReaderSpec]
    /// Looks at a reader.
    let finder: CardFinder

    init(_ options: GlobalOptions) throws(Failure) {
        let spec = try options.namedReaderSpec()
        specs = spec.map { [$0] } ?? [.pcsc(nameContains: nil), .nfc(nil)]
        finder = CardFinder(
            spec: spec ?? .pcsc(nameContains: nil), identFilter: nil, trace: options.isTracing ? Trace.write : nil)
    }

    /// The readers, and why some cannot be listed. That libnfc is not configured is no problem of somebody who did not
    /// ask for it.
    func readers() -> (readers: [any CardReader], problems: [Failure]) {
        var readers: [any CardReader] = []
        var problems: [Failure] = []
        for spec in specs {
            do throws(Failure) {
                readers += try finder.looking(at: spec).readers()
            } catch  where spec == .nfc(nil) && specs.count > 1 {
            } catch { problems.append(error) }
        }
        return (readers, problems)
    }

    /// The same, as soon as there is a reader.
    /// - Throws: `Failure`: `.timedOut`, `.interrupted`.
    func readers(
        _ waiting: Waiting, console: Console
    ) async throws(Failure) -> (readers: [any CardReader], problems: [Failure]) {
        let deadline = waiting.limit.map { ContinuousClock.now.advanced(by: $0) }
        var found = readers()
        guard found.readers.isEmpty else { return found }
        console.note("Attach a reader…")
        let changes = ReaderChanges(events())
        while found.readers.isEmpty {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero {
                let obstacle = found.problems.first ?? Failure(PCSCBackend.noReader)
                throw Failure(.timedOut, "No reader came in time. \(obstacle.message)", hint: obstacle.hint)
            }
            guard await changes.next(within: left) else { throw .interrupted }
            found = readers()
        }
        return found
    }

    /// What happens at them.
    func events() -> AsyncStream<ReaderEvent> {
        guard specs.count > 1 else { return finder.events() }
        return ReaderWatch.merged([PCSCBackend().events()] + NFCBackend().readers().map { $0.events() })
    }
}

extension CardFinder {
    /// The same for other readers.
    fileprivate func looking(at spec: ReaderSpec) -> Self {
        CardFinder(spec: spec, identFilter: identFilter, trace: trace)
    }

    /// The reader of an event.
    func reader(spec text: String) -> (any CardReader)? {
        switch ReaderSpec(parsing: text) {
        case .pcsc(let name?): PCSCReader(name: name)
        case .nfc(let connection?): NFCReader(connection)
        case .simulated(let file): SimulatedReader(path: file)
        default: nil
        }
    }
}
