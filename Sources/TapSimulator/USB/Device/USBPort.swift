/// A device's end of a usbredir connection: announces the device, answers what every USB device answers, and pairs the
/// host's transfers with the device's. It never waits by itself.
///
/// Spec: USB redirection protocol 0.7; USB 2.0, sections 8.5 and 9.4.
struct USBPort {
    /// Room that the host has for a transfer.
    struct Offer {
        let number: UInt64
        let endpoint: UInt8
        let stream: UInt32
        let length: Int
    }

    /// The most offers of a host, and the most transfers of a device, that are kept.
    static let mostWaiting = 64

    var device: any USBDevice
    private(set) var isPlugged = true
    /// Whether the host's end has said hello on this connection.
    private(set) var isGreeted = false
    /// Whether what comes is still for the device before it was unplugged.
    private var isStale = false
    private var parser = RedirectionParser()
    var writer = RedirectionWriter(capabilities: [])
    /// The configuration in force; 0 means none yet.
    var configuration: UInt8 = 0
    /// The endpoints that refuse transfers until the host clears them.
    var halted: Set<UInt8> = []
    var offers: [Offer] = []
    var transfers: [USBTransfer] = []
    /// The endpoints whose interrupts the host wants.
    var heard: Set<UInt8> = []
    var interruptsSent: UInt64 = 0
    /// What goes wrong with the next transfer.
    var fault: USBReaderFault.Kind?
    private var output: [UInt8] = []

    init(_ device: any USBDevice) { self.device = device }

    /// Begins a connection: hello is the first that the host's end gets.
    mutating func connect() {
        (parser, writer) = (RedirectionParser(), RedirectionWriter(capabilities: []))
        (isGreeted, isStale) = (false, false)
        output = RedirectionWriter.hello
        restart()
    }

    /// Takes the bytes to be sent to the host's end.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Adds bytes to be sent to the host's end.
    mutating func send(_ bytes: [UInt8]) { output += bytes }

    /// Takes bytes from the host's end.
    /// - Throws: `RedirectionViolation`; the connection must end then.
    mutating func receive(_ bytes: [UInt8], at now: ContinuousClock.Instant) throws(RedirectionViolation) {
        parser.append(bytes)
        while let message = try parser.next() { try handle(message, at: now) }
        move()
    }

    /// Unplugs the device; the connection stays.
    mutating func unplug() {
        guard isPlugged else { return }
        isPlugged = false
        restart()
        guard isGreeted else { return }
        send(writer.disconnection)
        isStale = writer.capabilities.contains(.disconnectAcknowledgement)
    }

    /// Plugs the device in.
    mutating func plugIn() {
        guard !isPlugged else { return }
        isPlugged = true
        if isGreeted { send(writer.announcement(of: device.description)) }
    }

    private mutating func handle(
        _ message: RedirectionMessage, at now: ContinuousClock.Instant
    ) throws(RedirectionViolation) {
        switch message.content {
        case .hello(let capabilities):
            writer = RedirectionWriter(capabilities: capabilities)
            isGreeted = true
            if isPlugged { send(writer.announcement(of: device.description)) }
        case .refusal: throw RedirectionViolation(reason: "a filter that refuses this device")
        case .disconnectAcknowledgement: isStale = false
        case .filterRules: break
        default:
            guard isPlugged, !isStale else { return }
            try answer(message, at: now)
        }
    }

    /// Forgets everything that the host has asked for, and resets the device.
    mutating func restart() {
        (configuration, halted, offers, transfers, heard, fault) = (0, [], [], [], [], nil)
        device.reset()
    }
}
