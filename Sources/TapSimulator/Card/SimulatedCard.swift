import Bitcoin
import ByteCodec
import Glibc
import Threads

/// A tap card in software, as a reader sees it.
///
/// It answers APDUs as a card would, keeps its state in a file if it was opened from one, and can lose power at any
/// time. Calls may come from any thread; they run one at a time, in order.
///
/// Spec: protocol; ISO 7816-4.
public final class SimulatedCard: Sendable {
    /// The answer to reset through a contactless reader; its historical bytes spell `Coinkite`.
    public static let answerToReset: [UInt8] =
        [0x3B, 0x88, 0x80, 0x01] + Array("Coinkite".utf8) + [0x31]

    private struct Body {
        var core: CardCore
        let file: SimulatedCardFile?
        var fileError: SimulatedCardError?

        /// Saves a changed state to the file, or restores the old one.
        mutating func save(replacing before: CardCore) throws(SimulatedCardError) {
            guard let file, core.state != before.state else { return }
            do throws(SimulatedCardError) { try file.save(core.state) } catch {
                core = before
                throw error
            }
        }
    }

    // A monitor, not a `Mutex`: ThreadSanitizer understands only the system's locks.
    private let body: Monitor<Body>
    private let hand = Monitor<PullingHand?>(nil)
    /// How long a `wait` command takes.
    let waitDuration: Duration
    /// How much longer a signing command takes than this machine needs for it.
    let signDuration: Duration

    /// Creates a card that exists only in memory.
    /// - Parameters:
    ///   - options: the card's properties.
    ///   - waitDuration: how long a `wait` command takes; `nil` uses the value of the options.
    /// - Throws: `SimulatedCardError.badOptions`.
    public convenience init(_ options: SimulatedCardOptions, waitDuration: Duration? = nil) throws(SimulatedCardError) {
        self.init(state: try SimulatedCardState(options: options), file: nil, waitDuration: waitDuration)
    }

    /// Opens the card in a file, which stays locked as long as the card lives.
    /// - Parameters:
    ///   - path: the file.
    ///   - waitDuration: how long a `wait` command takes; `nil` uses the file's value.
    ///   - signDuration: how much longer a signature takes than this machine needs for it; `nil` uses the file's value.
    /// - Throws: `SimulatedCardError`: `.notFound`, `.inUse`, `.damaged`, `.unreadable`.
    public convenience init(
        path: String, waitDuration: Duration? = nil, signDuration: Duration? = nil
    ) throws(SimulatedCardError) {
        let file = try SimulatedCardFile(path: path)
        self.init(state: try file.load(), file: file, waitDuration: waitDuration, signDuration: signDuration)
    }

    init(
        state: SimulatedCardState, file: sending SimulatedCardFile?, waitDuration: Duration? = nil,
        signDuration: Duration? = nil
    ) {
        body = Monitor(Body(core: CardCore(state: state), file: file))
        self.waitDuration = waitDuration ?? state.delays.wait
        self.signDuration = signDuration ?? state.delays.sign
    }

    /// Puts the card into the field, or resets it: a new `card_nonce`, and nothing selected.
    /// - Throws: `SimulatedCardError.fileFailed` if the state cannot be saved; the card then stays without power.
    public func powerOn() throws(SimulatedCardError) {
        try body.withLock { (body) throws(SimulatedCardError) in
            let before = body.core
            body.core.powerOn()
            do throws(SimulatedCardError) { try body.save(replacing: before) } catch {
                body.core.powerOff()
                throw error
            }
        }
    }

    /// Takes the card out of the field.
    public func powerOff() { body.withLock { $0.core.powerOff() } }

    /// Whether the card is in a field.
    public var hasPower: Bool { body.withLock { $0.core.power != nil } }

    /// Runs one APDU.
    ///
    /// The new state is in the file before the response is returned. If it cannot be written, the command has not
    /// happened, the response is `6F00`, and `fileError` says why.
    /// - Parameter apdu: any bytes.
    /// - Returns: the response with its status word, at least 2 bytes.
    public func process(apdu: [UInt8]) -> [UInt8] {
        run { $0.answer(toAPDU: apdu) } ?? [0x6F, 0x00]
    }

    /// Schedules the card's removal from the reader that serves it, at an exchange counted from now.
    /// - Parameter pull: takes it off; called on the thread that sends the command.
    public func plan(_ pull: PlannedPull, by take: @escaping @Sendable () -> Void) {
        hand.withLock { $0 = PullingHand(pull, pull: take) }
    }

    /// Runs one APDU on a reader; the card may be taken off meanwhile, as scheduled by `plan`.
    /// - Returns: the response with its status word; `nil` if the card was removed.
    func exchange(apdu: [UInt8]) -> [UInt8]? {
        guard let hand = hand.withLock({ $0 }) else { return process(apdu: apdu) }
        return hand.during { process(apdu: apdu) }
    }

    /// Runs one CBOR request without APDU and SELECT, as the maker's emulator accepts it.
    ///
    /// The new state is in the file before the response is returned. If it cannot be written, the command has not
    /// happened, the response is error 500, and `fileError` says why.
    /// - Parameter request: any bytes.
    /// - Returns: one CBOR map; error 500 if the card has no power.
    public func process(request: [UInt8]) -> [UInt8] {
        let answer = run { core in core.power == nil ? nil : core.answer(toRequest: request) }
        return answer ?? CBOREncoder.encode(.map(CardFault.internalFailure.answer))
    }

    /// The response to anything but a CBOR map: error 422.
    static let unreadable = CBOREncoder.encode(.map(CardFault.badCBOR.answer))

    /// Runs work on the card exclusively, saves its state, and takes the time that a real card takes.
    /// - Returns: the response; `nil` if there is none or the state cannot be saved.
    private func run(_ work: (inout CardCore) -> [UInt8]?) -> [UInt8]? {
        let (answer, owed) = body.withLock { body -> ([UInt8]?, Duration) in
            let before = body.core
            let answer = work(&body.core)
            let owed = waitDuration * body.core.owedWaits + (body.core.owesSignature ? signDuration : .zero)
            body.core.owedWaits = 0
            body.core.owesSignature = false
            do throws(SimulatedCardError) {
                try body.save(replacing: before)
                body.fileError = nil
            } catch {
                body.fileError = error
                return (nil, .zero)
            }
            return (answer, owed)
        }
        if owed > .zero { Self.pause(owed) }
        return answer
    }

    /// Why the last state could not be saved; `nil` if it was saved.
    var fileError: SimulatedCardError? { body.withLock { $0.fileError } }

    /// The card's present content, for display.
    var state: SimulatedCardState { body.withLock { $0.core.state } }

    /// What the card keeps until it loses power.
    var powerState: CardCore.PowerState? { body.withLock { $0.core.power } }

    /// Makes the card misbehave from now on.
    func misbehave(by mischief: any CardMischief) { body.withLock { $0.core.mischief = mischief } }

    /// Blocks the thread.
    static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var rest = timespec()
        while nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
    }
}
