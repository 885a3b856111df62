import CardReaders
import SmartCard
import TapSimulator

/// The readers that `tapkit readers` is about: those that were asked for, or both kinds.
struct ReaderChoice {
    private let specs: [ReaderSpec]
    /// Looks at a reader.
    let finder: CardFinder

    init(_ options: GlobalOptions) throws(Failure) {
        let spec = try options.readerSpec()
        specs = options.hasReaderSetting ? [spec] : [.pcsc(nameContains: nil), .nfc(nil)]
        finder = CardFinder(spec: spec, identFilter: nil, trace: options.isTracing ? Trace.write : nil)
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
