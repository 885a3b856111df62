import CardReaders
import SmartCard
import TestSupport

/// A virtual reader of a PC/SC service of the test's own, seen by this thread and those it starts only.
final class PCSCServiceBench: MortalBench, @unchecked Sendable {
    // The service is killed and started by the thread that made the bench.
    private let daemon: PrivatePCSCDaemon
    private let bench: PCSCBench

    init() throws {
        daemon = try PrivatePCSCDaemon()
        try daemon.start()
        bench = PCSCBench(try daemon.slot())
    }

    var reader: any CardReader { bench.reader }
    func freshReader() -> any CardReader { bench.freshReader() }

    func insertCard(_ answer: @escaping @Sendable ([UInt8]) -> CardReply) throws { try bench.insertCard(answer) }
    func removeCard() throws { try bench.removeCard() }
    func after(_ delay: Duration, _ action: CardAction) throws { try bench.after(delay, action) }
    func resetFromOutside() throws { try bench.resetFromOutside() }
    func events() -> AsyncStream<ReaderEvent> { bench.events() }
    func killBackend() { daemon.kill() }
    func startBackend() throws { try daemon.start() }
}
