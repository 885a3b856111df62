import SmartCard

/// The readers that libnfc drives.
public struct NFCBackend: Sendable {
    /// Nothing is opened yet.
    public init() {}

    /// The devices that libnfc is configured for (`LIBNFC_DEFAULT_DEVICE`, `/etc/nfc`), and those on USB that it knows;
    /// none is no error. A serial port is found only when it is configured.
    public func readers() -> [NFCReader] {
        NFCContext.devices().compactMap(NFCConnectionString.init).map(NFCReader.init)
    }

    /// The error for somebody who needs a libnfc reader when there is none.
    public static let noReader = ReaderError(
        .noReader, "libnfc knows no NFC reader.",
        remedy: "Name it by its connection, or configure it in /etc/nfc/libnfc.conf (device.connstring).",
        subject: .reader("nfc"))
}

extension NFCBackend {
    /// How long to wait before libnfc is asked again for a device, while it knows none.
    private static let pause = Duration.seconds(1)

    /// What happens at the readers that `readers` names, until the stream is ended: first what is there now, then every
    /// change. While there is none, libnfc is asked again every second.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let task = Task {
                var readers = readers()
                while readers.isEmpty, !Task.isCancelled {
                    try? await Task.sleep(for: Self.pause)
                    readers = self.readers()
                }
                for await event in ReaderWatch.merged(readers.map { $0.events() }) { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
