import CNFC
import Glibc
import Synchronization

/// libnfc's one context of this process, and the calls that are about no single open device.
///
/// The library's state is shared, so these calls come one at a time. The context is never given up: after an
/// `nfc_exit` no other one can open a device.
enum NFCContext {
    /// The most devices that libnfc is asked about.
    private static let maximumCount = 16

    /// Guards the context, which is made at the first use.
    private static let context = Mutex<Pointer?>(nil)

    /// Opens a device.
    /// - Returns: `nil` when libnfc cannot, for whatever reason.
    static func open(_ device: NFCConnectionString) -> OpaquePointer? {
        withContext { context in nfc_open(context, device.description).map(Pointer.init) }?.value
    }

    /// Closes a device: its field goes off.
    static func close(_ device: OpaquePointer) {
        let device = Pointer(value: device)
        _ = withContext { _ -> Pointer? in
            nfc_close(device.value)
            return nil
        }
    }

    /// The devices that libnfc is configured for, and those that it finds on USB. No serial port is touched unless the
    /// configuration asks for it.
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

    /// libnfc writes its log to standard error; it is silent unless somebody asked for it.
    private static func make() -> Pointer? {
        setenv("LIBNFC_LOG_LEVEL", "0", 0)
        var context: OpaquePointer?
        nfc_init(&context)
        return context.map(Pointer.init)
    }

    /// An opaque pointer of libnfc's that may go from thread to thread; what it points to is used by one at a time.
    private struct Pointer: @unchecked Sendable {
        let value: OpaquePointer
    }
}
