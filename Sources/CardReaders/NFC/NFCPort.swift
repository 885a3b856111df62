import Glibc
import SmartCard
import Synchronization
import Threads

/// A libnfc device shared within this process: open while anyone uses it, one call at a time, at most one channel.
///
/// A wait and a channel may use it together; between processes, `NFCPortLock` decides.
final class NFCPort: Sendable {
    /// The ports in use, so that all readers of one device share the same port.
    private static let known = Mutex<[NFCConnectionString: WeakPort]>([:])

    private struct WeakPort {
        weak var port: NFCPort?
    }

    fileprivate struct State {
        /// The open device. Moves between threads under the lock that guards it.
        var device: NFCDevice?
        var users = 0
        var hasChannel = false
        var losses = 0
    }

    /// The device's name.
    let connection: NFCConnectionString
    /// Only the thread that holds the lock uses the device.
    private let state = Monitor(State())

    private init(_ connection: NFCConnectionString) { self.connection = connection }

    /// The port with this name.
    static func shared(_ connection: NFCConnectionString) -> NFCPort {
        known.withLock { known in
            if let port = known[connection]?.port { return port }
            known = known.filter { $0.value.port != nil }
            let port = NFCPort(connection)
            known[connection] = WeakPort(port: port)
            return port
        }
    }

    /// The ports that are in use.
    static var inUse: [NFCPort] { known.withLock { $0.values.compactMap(\.port) } }

    /// Closes the device after the call in progress, because the process is ending. Anyone who wants the port afterwards
    /// blocks, so nobody opens the device again or reports it as missing.
    func closeForGood(_ closed: () -> Void) -> Never {
        state.withLock { state in
            state.device = nil
            closed()
            while true { pause() }
        }
    }

    /// Whether a channel is open; the channel knows best whether its card is there.
    var hasChannel: Bool { state.withLock { $0.hasChannel } }

    /// How often a card was found gone or replaced.
    var losses: Int { state.withLock { $0.losses } }

    /// Starts using the device. It is opened when first needed, and closed when its last user is done.
    func enter() { state.withLock { $0.users += 1 } }

    /// Ends a use started by `enter`.
    func leave() {
        state.withLock { state in
            state.users -= 1
            if state.users == 0 { state.device = nil }
        }
    }

    /// Takes the single place for a channel, which counts as a user.
    /// - Throws: `ReaderError.readerBusy` if there is a channel already.
    func enterChannel() throws(ReaderError) {
        try state.withLock { (state) throws(ReaderError) in
            guard !state.hasChannel else {
                throw ReaderError(
                    .readerBusy, "The card on \(connection) is already in use.",
                    remedy: "Wait until the other task is done, or stop it.")
            }
            state.hasChannel = true
            state.users += 1
        }
    }

    /// Gives up the place taken by `enterChannel`, and ends the session with the card.
    func leaveChannel() {
        state.withLock { state in
            state.hasChannel = false
            state.device?.letGo()
        }
        leave()
    }

    /// Uses the device, opening it if necessary. If the connection fails, as when a busy machine reads the chip's answer
    /// too late, the device is opened again and the work repeated, once; the work only looks and changes nothing on the
    /// card. Other threads wait meanwhile.
    func use<Result>(_ look: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            do throws(ReaderError) {
                return try state.work(connection, look)
            } catch {
                guard error.kind == .transportFailed else { throw error }
                return try state.work(connection, look)
            }
        }
    }

    /// Uses the device, which must be open.
    func useOpen<Result>(_ body: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            guard state.device != nil else {
                throw ReaderError(.transportFailed, "The connection to the card is closed.")
            }
            return try state.work(connection, body)
        }
    }
}

extension NFCPort.State {
    /// Uses the device, opening it if necessary. A device that breaks is closed, so that others can use the port.
    fileprivate mutating func work<Result>(
        _ connection: NFCConnectionString, _ body: (NFCDevice) throws(ReaderError) -> Result
    ) throws(ReaderError) -> Result {
        let device: NFCDevice
        if let open = self.device { device = open } else { device = try NFCDevice(connection) }
        self.device = device
        defer {
            losses += device.takeLosses()
            if device.isBroken { self.device = nil }
        }
        return try body(device)
    }
}
