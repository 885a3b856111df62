import CNFC
import Glibc
import Synchronization

/// This process's one libnfc context, and the calls that do not concern a single open device.
///
/// The library's state is shared, so these calls run one at a time. The context is never released: after `nfc_exit`, a
/// new one cannot open any device.
enum NFCContext {
    /// The most devices that libnfc is asked for.
    private static let maximumCount = 16

    /// Guards the context, which is created on first use.
    private static let context = Mutex<Pointer?>(nil)

    /// Opens a device. On USB, its name must be whole, and the device free: see `NFCUSBDevice`.
    /// - Returns: `nil` if libnfc cannot open it, for any reason.
    static func open(_ device: NFCConnectionString) -> OpaquePointer? {
        withContext { context in nfc_open(context, device.description).map(Pointer.init) }?.value
    }

    /// Closes a device, which switches its field off.
    static func close(_ device: OpaquePointer) {
        let device = Pointer(value: device)
        _ = withContext { _ -> Pointer? in
            nfc_close(device.value)
            return nil
        }
    }

    /// The devices that libnfc is configured for, and those that it finds on USB, and at serial ports if its
    /// configuration asks for it. It opens every device that it could drive, whoever has it.
    static func devices() -> [String] {
        context.withLock { context in
            context = context ?? make()
            guard let context else { return [] }
            let names = UnsafeMutablePointer<nfc_connstring>.allocate(capacity: maximumCount)
            defer { names.deallocate() }
            let count = min(nfc_list_devices(context.value, names, maximumCount), maximumCount)
            return (0..<count).map { index in
                withUnsafeBytes(of: names[index]) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        }
    }

    private static func withContext(_ body: (OpaquePointer) -> Pointer?) -> Pointer? {
        context.withLock { context in
            context = context ?? make()
            guard let context else { return nil }
            return body(context.value)
        }
    }

    /// libnfc logs to standard error; it is kept silent unless a log level is set.
    private static func make() -> Pointer? {
        setenv("LIBNFC_LOG_LEVEL", "0", 0)
        var context: OpaquePointer?
        nfc_init(&context)
        return context.map(Pointer.init)
    }

    /// An opaque libnfc pointer that may move between threads; only one thread at a time uses what it points to.
    private struct Pointer: @unchecked Sendable {
        let value: OpaquePointer
    }
}
