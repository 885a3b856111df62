import ExplainedErrors
import SmartCard

/// The readers that libnfc drives: all that it knows, or one given by its connection string.
public struct NFCBackend: ReaderBackend {
    /// How often libnfc is asked again for a device while it knows none.
    private static let pause = Duration.seconds(1)

    /// The one device to use; `nil` means all that libnfc knows.
    public let connection: NFCConnectionString?
    private let waitsForDevices: Bool

    /// Opens nothing yet.
    /// - Parameters:
    ///   - connection: the device to use; libnfc need not know it already.
    ///   - waitsForDevices: whether `events` asks libnfc again every second while it knows no device. Each time, libnfc
    ///     probes the USB devices, even those that another program is using.
    public init(_ connection: NFCConnectionString? = nil, waitsForDevices: Bool = true) {
        self.connection = connection
        self.waitsForDevices = waitsForDevices
    }

    /// The devices that libnfc is configured for (`LIBNFC_DEFAULT_DEVICE`, `/etc/nfc`), and the USB devices that it knows. An
    /// empty list is not an error. A serial port is found only if it is configured or named.
    public func readers() -> [any CardReader] { devices() }

    /// Events at the readers that `readers` returns, until the stream is ended: first the present state, then every change.
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

    /// The error for when libnfc finds no device.
    public var noReader: any ExplainedError {
        ReaderError(
            .noReader, "libnfc found no NFC reader.",
            remedy: "Give its connection string, or set device.connstring in /etc/nfc/libnfc.conf.",
            subject: .reader(.unnamed(example: "nfc:pn532_uart:/dev/ttyUSB0")))
    }

    private func devices() -> [NFCReader] {
        if let connection { return [NFCReader(connection)] }
        return NFCContext.devices().compactMap(NFCConnectionString.init).map(NFCReader.init)
    }
}
