import ExplainedErrors
import SmartCard

/// The readers that libnfc drives: those that it knows, or one by its connection string.
public struct NFCBackend: ReaderBackend {
    /// How long to wait before libnfc is asked again for a device, while it knows none.
    private static let pause = Duration.seconds(1)

    /// The one device that is meant; `nil`: all that libnfc knows.
    public let connection: NFCConnectionString?
    private let waitsForDevices: Bool

    /// Nothing is opened yet.
    /// - Parameters:
    ///   - connection: the device that is meant; it need not be one that libnfc knows by itself.
    ///   - waitsForDevices: whether `events` asks libnfc again, every second, while it knows no device: each time it looks at
    ///     the USB devices, under whoever else works with them.
    public init(_ connection: NFCConnectionString? = nil, waitsForDevices: Bool = true) {
        self.connection = connection
        self.waitsForDevices = waitsForDevices
    }

    /// The devices that libnfc is configured for (`LIBNFC_DEFAULT_DEVICE`, `/etc/nfc`), and those on USB that it knows;
    /// none is no error. A serial port is found only when it is configured, or named.
    public func readers() -> [any CardReader] { devices() }

    /// What happens at the readers that `readers` names, until the stream is ended: first what is there now, then every
    /// change.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let task = Task {
                var readers = devices()
                while readers.isEmpty, waitsForDevices, !Task.isCancelled {
                    try? await Task.sleep(for: Self.pause)
                    readers = devices()
                }
                for await event in ReaderWatch.merged(readers.map { $0.events() }) { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// libnfc knows no device.
    public var noReader: any ExplainedError {
        ReaderError(
            .noReader, "libnfc knows no NFC reader.",
            remedy: "Name it by its connection, or configure it in /etc/nfc/libnfc.conf (device.connstring).",
            subject: .reader("nfc"))
    }

    private func devices() -> [NFCReader] {
        if let connection { return [NFCReader(connection)] }
        return NFCContext.devices().compactMap(NFCConnectionString.init).map(NFCReader.init)
    }
}
