import CPCSC
import Glibc
import SmartCard

/// Watches all readers and reports events.
struct PCSCWatch: Sendable {
    /// The time between two tries to reach a service that is not there, in microseconds.
    private static let pauseBetweenTries: UInt32 = 250_000

    /// Watches until `wait` is cancelled; blocks its thread.
    func run(until wait: PCSCWait, tell: (ReaderEvent) -> Void) {
        var known = PCSCKnownReaders()
        while !wait.isCancelled {
            do throws(ReaderError) {
                let context = try PCSCContext()
                while !wait.isCancelled { try look(context, wait, &known, tell) }
            } catch {
                // The service is missing or went away, and nothing announces its return.
                known.update([]).forEach(tell)
                usleep(Self.pauseBetweenTries)
            }
        }
    }

    /// Reports what has changed since the last look, then waits for the next change.
    private func look(
        _ context: PCSCContext, _ wait: PCSCWait, _ known: inout PCSCKnownReaders, _ tell: (ReaderEvent) -> Void
    ) throws(ReaderError) {
        let names = try context.readerNames()
        let query = PCSCStatusQuery(names + [PCSCStatusQuery.plugAndPlayName])
        var status = query.ask(context, milliseconds: 0)
        while true {
            switch Int(status) {
            case SCARD_S_SUCCESS, SCARD_E_TIMEOUT:
                let answers = zip(names, query.answers).filter { $0.1.isReaderThere }
                known.update(answers.map { ($0.0, $0.1) }).forEach(tell)
            case SCARD_E_CANCELLED: return
            case SCARD_E_UNKNOWN_READER:
                // A reader that has just gone; one that stays unknown must not keep the processor busy.
                usleep(Self.pauseBetweenTries)
                return
            default: throw PCSCError.readerError(status, .using)
            }
            query.acknowledge()
            status = wait.slice(query, context)
            guard try context.readerNames() == names else { return }
        }
    }
}
