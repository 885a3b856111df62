import ExplainedErrors
import SmartCard

/// The readers that libnfc drives: all that it knows, or one given by its connection string.
public struct NFCBackend: ReaderBackend {
    /// How often libnfc is asked again for a device while it knows none.
    private static let pause = Duration.seconds(1)

    /// The one device to use; `nil` means all that libnfc knows.
    public let connection: NFCConnectionString?
    private let waitsForDevices: Bool
    private let host: any HostFiles

    /// Opens nothing yet.
    /// - Parameters:
    ///   - connection: the device to use; libnfc need not know it already.
    ///   - waitsForDevices: whether `events` looks again every second while there is no device. A device that the PC/SC
    ///     service could drive too is left to it if both are looking.
    public init(_ connection: NFCConnectionString? = nil, waitsForDevices: Bool = true) {
        self.init(connection, waitsForDevices: waitsForDevices, on: Host())
    }

    /// The same on another computer than this one, to see what is found there.
    package init(_ connection: NFCConnectionString? = nil, waitsForDevices: Bool = true, on host: any HostFiles) {
        self.connection = connection
        self.waitsForDevices = waitsForDevices
        self.host = host
    }

    /// The devices that libnfc is configured for (`LIBNFC_DEFAULT_DEVICE`, `/etc/nfc`), and the USB devices that its
    /// drivers know. An empty list is not an error. A serial port is found only if it is configured or named.
    ///
    /// libnfc does not look on USB itself, as that disturbs whoever uses a device there. A device that the PC/SC
    /// service or a driver of the kernel has claimed is not listed; what another program has claimed is not opened.
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

    /// The error for when there is no device: `.readerBusy` if something else has the one that there is.
    public var noReader: any ExplainedError {
        if connection == nil, let device = NFCListing(of: host).leftOut.first { return NFCError.held(device, on: host) }
        return ReaderError(
            .noReader, "libnfc found no NFC reader.",
            remedy: "Give its connection string, or set device.connstring in /etc/nfc/libnfc.conf.",
            subject: .reader(.unnamed(example: "nfc:pn532_uart:/dev/ttyUSB0")))
    }

    private func devices() -> [NFCReader] {
        if let connection { return [NFCReader(connection)] }
        return NFCListing(of: host, scan: NFCContext.devices).connections.map(NFCReader.init)
    }
}
