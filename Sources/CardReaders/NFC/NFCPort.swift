import SmartCard
import Synchronization

/// A libnfc device as this process shares it: open as long as somebody uses it, one call at a time, one channel at most.
///
/// A wait and a channel may use it together; between processes `NFCPortLock` decides.
final class NFCPort: Sendable {
    /// The ports that are in use, so that every reader of one device meets the others at the same port.
    private static let known = Mutex<[NFCConnectionString: WeakPort]>([:])

    private struct WeakPort {
        weak var port: NFCPort?
    }

    private struct State {
        /// The open device. Moves between threads with the lock that guards it.
        var device: NFCDevice?
        var users = 0
        var hasChannel = false
    }

    /// The device's name.
    let connection: NFCConnectionString
    private let state = Mutex(UncheckedState(value: State()))

    /// The device is used by one thread at a time, whichever has the lock.
    private struct UncheckedState: @unchecked Sendable {
        var value: State
    }

    private init(_ connection: NFCConnectionString) { self.connection = connection }

    /// The port of this name.
    static func shared(_ connection: NFCConnectionString) -> NFCPort {
        known.withLock { known in
            if let port = known[connection]?.port { return port }
            known = known.filter { $0.value.port != nil }
            let port = NFCPort(connection)
            known[connection] = WeakPort(port: port)
            return port
        }
    }

    /// Closes every open device, for the end of the process.
    static func closeAll() {
        let ports = known.withLock { $0.values.compactMap(\.port) }
        for port in ports { port.state.withLock { $0.value.device = nil } }
    }

    /// Whether a channel is open: it knows best whether its card is there.
    var hasChannel: Bool { state.withLock { $0.value.hasChannel } }

    /// Begins to use the device; it is opened when it is needed first, and closed when its last user ends.
    func enter() { state.withLock { $0.value.users += 1 } }

    /// Ends what `enter` began.
    func leave() {
        state.withLock { state in
            state.value.users -= 1
            if state.value.users == 0 { state.value.device = nil }
        }
    }

    /// Takes the one place for a channel; it counts as a user.
    /// - Throws: `ReaderError.readerBusy` when there is a channel already.
    func enterChannel() throws(ReaderError) {
        try state.withLock { (state) throws(ReaderError) in
            guard !state.value.hasChannel else {
                throw ReaderError(
                    .readerBusy, "The card on \(connection) is in use already.",
                    hint: "end it, or wait until it is done")
            }
            state.value.hasChannel = true
            state.value.users += 1
        }
    }

    /// Ends what `enterChannel` began, and the conversation with the card.
    func leaveChannel() {
        state.withLock { state in
            state.value.hasChannel = false
            state.value.device?.letGo()
        }
        leave()
    }

    /// Works with the device; opens it if need be, anew if it broke. Others wait meanwhile.
    func use<Result>(_ body: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            let device: NFCDevice
            if let open = state.value.device, open.failure == nil {
                device = open
            } else {
                // The old one first: its lock is on the same file.
                state.value.device = nil
                device = try NFCDevice(connection)
                state.value.device = device
            }
            return try body(device)
        }
    }

    /// Works with the device that is open; one that broke says so.
    func useOpen<Result>(_ body: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            guard let device = state.value.device else {
                throw ReaderError(.transportFailed, "The line to the card is closed.")
            }
            return try body(device)
        }
    }
}
