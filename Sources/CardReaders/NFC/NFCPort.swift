import Glibc
import SmartCard
import Synchronization
import Threads

/// A libnfc device as this process shares it: open as long as somebody uses it, one call at a time, one channel at most.
///
/// A wait and a channel may use it together; between processes `NFCPortLock` decides.
final class NFCPort: Sendable {
    /// The ports that are in use, so that every reader of one device meets the others at the same port.
    private static let known = Mutex<[NFCConnectionString: WeakPort]>([:])

    private struct WeakPort {
        weak var port: NFCPort?
    }

    fileprivate struct State {
        /// The open device. Moves between threads with the lock that guards it.
        var device: NFCDevice?
        var users = 0
        var hasChannel = false
        var losses = 0
    }

    /// The device's name.
    let connection: NFCConnectionString
    /// The device is used by one thread at a time, whichever has the lock.
    private let state = Monitor(State())

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

    /// The ports that somebody uses.
    static var inUse: [NFCPort] { known.withLock { $0.values.compactMap(\.port) } }

    /// Closes the device behind the call that is under way, for the end of the process: whoever wants the port afterwards
    /// waits for that, and neither opens the device again nor takes its absence for a fault.
    func closeForGood(_ closed: () -> Void) -> Never {
        state.withLock { state in
            state.device = nil
            closed()
            while true { pause() }
        }
    }

    /// Whether a channel is open: it knows best whether its card is there.
    var hasChannel: Bool { state.withLock { $0.hasChannel } }

    /// How often a card was found to be gone, or another.
    var losses: Int { state.withLock { $0.losses } }

    /// Begins to use the device; it is opened when it is needed first, and closed when its last user ends.
    func enter() { state.withLock { $0.users += 1 } }

    /// Ends what `enter` began.
    func leave() {
        state.withLock { state in
            state.users -= 1
            if state.users == 0 { state.device = nil }
        }
    }

    /// Takes the one place for a channel; it counts as a user.
    /// - Throws: `ReaderError.readerBusy` when there is a channel already.
    func enterChannel() throws(ReaderError) {
        try state.withLock { (state) throws(ReaderError) in
            guard !state.hasChannel else {
                throw ReaderError(
                    .readerBusy, "The card on \(connection) is in use already.",
                    remedy: "End it, or wait until it is done.")
            }
            state.hasChannel = true
            state.users += 1
        }
    }

    /// Ends what `enterChannel` began, and the conversation with the card.
    func leaveChannel() {
        state.withLock { state in
            state.hasChannel = false
            state.device?.letGo()
        }
        leave()
    }

    /// Works with the device; opens it if need be. A line that fails is opened anew once, and the work done again: it
    /// looks, and changes nothing on the card. Others wait meanwhile.
    func use<Result>(_ look: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            let isFresh = state.device == nil
            do throws(ReaderError) {
                return try state.work(connection, look)
            } catch {
                guard error.kind == .transportFailed, !isFresh else { throw error }
                return try state.work(connection, look)
            }
        }
    }

    /// Works with the device that is open.
    func useOpen<Result>(_ body: (NFCDevice) throws(ReaderError) -> Result) throws(ReaderError) -> Result {
        try state.withLock { (state) throws(ReaderError) in
            guard state.device != nil else {
                throw ReaderError(.transportFailed, "The line to the card is closed.")
            }
            return try state.work(connection, body)
        }
    }
}

extension NFCPort.State {
    /// Works with the device, which is opened if it is not. One that breaks is closed, so that others may have the port.
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
