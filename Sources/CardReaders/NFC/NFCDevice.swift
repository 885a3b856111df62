import CNFC
import Glibc
import SmartCard

/// An open libnfc device in reader mode. Not thread-safe: `NFCPort` lets one thread use it at a time.
///
/// Spec: libnfc; ISO 14443-3 and -4 type A.
final class NFCDevice {
    /// The longest command that libnfc accepts; one byte more crashes the process.
    static let longestCommand = 262
    /// Room for the longest response to a short APDU, 258 bytes, and some more so that longer ones are recognized.
    private static let answerCapacity = 512
    /// How long a card may take for a command, in milliseconds. libnfc's own default, 350 ms, is shorter than a signature
    /// takes.
    private static let longestWork: Int32 = 10_000
    /// How long the chip may take to find out whether a card is still there, in milliseconds; libnfc's USB driver takes 200
    /// off.
    private static let longestPing: Int32 = 1_000
    /// How often a card is asked that does not answer, or not clearly.
    private static let pings = 2
    /// ISO 14443-4, section 7.1.1.2: R(NAK) for block 0, without a card number.
    private static let negativeAcknowledgement: UInt8 = 0xB2
    /// libnfc waits with `select`, which fails for descriptors of 1024 and above. Opening a device takes three descriptors.
    private static let descriptorsNeeded = 3
    private static let highestDescriptor: Int32 = 1023
    /// ISO 14443-3: the bit of SAK that says "ISO 14443-4".
    private static let smartCardBit: UInt8 = 0x20

    /// What was found in the field.
    enum Finding {
        case nothing
        case smartCard
        /// Something that does not speak ISO 14443-4.
        case otherThing
    }

    private let device: NFCConnectionString
    private let handle: OpaquePointer
    private let lock: NFCPortLock
    /// The card that is selected.
    private var target: nfc_target?
    private var losses = 0
    /// Whether the connection failed: only reopening the device helps.
    private(set) var isBroken = false

    /// Opens the device and switches its field on; takes about 50 ms, or 2.8 s if nothing answers at the port.
    /// - Parameter host: where it is plugged in.
    /// - Throws: `ReaderError`: `.noReader`, `.permissionDenied`, `.readerBusy`, `.transportFailed`.
    init(_ device: NFCConnectionString, on host: some HostFiles = Host()) throws(ReaderError) {
        if let problem = NFCError.portProblem(device) { throw problem }
        let name = device.isOnUSB ? try host.nfcDevice(named: device).connection : device
        // Another of this user's programs that has the device is named by its lock. It may have let go of it since the
        // look.
        lock = try NFCPortLock(name)
        if name.isOnUSB {
            let found = try host.nfcDevice(named: name)
            guard found.isFree else { throw NFCError.held(found, on: host) }
        }
        try Self.checkDescriptors()
        // libnfc waits only briefly for the chip, and a busy machine may read its answer too late.
        guard let handle = NFCContext.open(name) ?? (name.isOnUSB ? nil : NFCContext.open(name)) else {
            throw NFCError.cannotOpen(device)
        }
        let status = Self.prepare(handle)
        guard status >= 0 else {
            NFCContext.close(handle)
            throw NFCError.readerError(status, device)
        }
        self.device = device
        self.handle = handle
    }

    deinit { NFCContext.close(handle) }

    /// Looks for a card and selects it. A card that is already selected is asked whether it is still there.
    /// - Parameter isWaiting: lets the chip wait for a card, for a third of a second.
    /// - Throws: `ReaderError`: `.readerGone`, `.transportFailed`; the device is then broken.
    func look(isWaiting: Bool = false) throws(ReaderError) -> Finding {
        if target != nil {
            if try isTargetPresent() { return .smartCard }
            loseTarget()
        }
        return try isWaiting ? selectWhenItComes() : select()
    }

    /// Selects the card again, as after it was put back.
    /// - Throws: as `look`.
    func selectAgain() throws(ReaderError) -> Finding {
        letGo()
        let finding = try select()
        // A watcher saw a card until now and may see one again at its next look: it must learn that the card was gone in
        // between.
        if finding != .smartCard { losses += 1 }
        return finding
    }

    /// Whether the selected card is still there and has not lost power.
    /// - Throws: as `look`.
    func keepsCard() throws(ReaderError) -> Bool {
        guard target != nil else { return false }
        if try isTargetPresent() { return true }
        loseTarget()
        return false
    }

    /// Sends one command and waits for the response.
    /// - Parameter command: 4 to 262 bytes; the caller checks this.
    /// - Throws: `ReaderError`: `.cardRemoved`, after which the card must be selected again; `.readerGone`,
    ///   `.transportFailed`, after which the device is broken.
    func transceive(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        guard target != nil else { throw NFCError.cardRemoved }
        var answer = [UInt8](repeating: 0, count: Self.answerCapacity)
        let count = nfc_initiator_transceive_bytes(
            handle, command, command.count, &answer, answer.count, Self.longestWork)
        guard count >= 0 else { throw fail(count) }
        let bytes = Array(answer.prefix(Int(count)))
        // A card that is lost in the middle of a long response looks like success with the beginning of the response.
        guard let status = ResponseAPDU(bytes)?.status, status.isPlausible else {
            loseTarget()
            throw NFCError.cardRemoved
        }
        return bytes
    }

    /// Ends the session with the card, which stays in the field.
    func letGo() {
        guard target != nil else { return }
        target = nil
        // The result means nothing: 1 is success, and a card that is gone cannot be deselected.
        if !isBroken { _ = nfc_initiator_deselect_target(handle) }
    }

    /// How often a selected card was found gone or replaced since the last call.
    func takeLosses() -> Int {
        defer { losses = 0 }
        return losses
    }

    private func loseTarget() {
        if target != nil { losses += 1 }
        target = nil
    }

    private func isTargetPresent() throws(ReaderError) -> Bool {
        var status = nfc_initiator_target_is_present(handle, nil)
        // libnfc can ask only through a PN532 or a PN533, and counts the chip of Sony's S360 as neither.
        if status == NFC_EDEVNOTSUPP { status = try ping() }
        if status == NFC_EIO || status == NFC_ETIMEOUT { throw fail(status) }
        return status == NFC_SUCCESS
    }

    /// Has the card answer that it did not get what it was waiting for, as libnfc does through a PN532. A card that lost its
    /// power does not answer.
    /// - Returns: `NFC_SUCCESS`, or an error of libnfc's.
    private func ping() throws(ReaderError) -> Int32 {
        try setProperty(NP_EASY_FRAMING, false)
        var status = NFC_ETGRELEASED
        for _ in 0..<Self.pings {
            let count = nfc_initiator_transceive_bytes(
                handle, [Self.negativeAcknowledgement], 1, nil, 0, Self.longestPing)
            status = count > 0 ? NFC_SUCCESS : count < 0 ? count : NFC_ETGRELEASED
            // For libnfc, a garbled answer and none are the same.
            if status != NFC_ERFTRANS { break }
        }
        try setProperty(NP_EASY_FRAMING, true)
        return status
    }

    private func select() throws(ReaderError) -> Finding {
        let (count, found) = call()
        switch count {
        case 1...: return take(found)
        // A card that arrives or leaves while it is being selected answers only in part.
        case 0, NFC_ERFTRANS, NFC_ETGRELEASED, NFC_EINVARG: return .nothing
        default: throw fail(count)
        }
    }

    /// Lets the chip look for a card by itself until libnfc's time limit: it answers as soon as there is one.
    private func selectWhenItComes() throws(ReaderError) -> Finding {
        try setProperty(NP_INFINITE_SELECT, true)
        let (count, found) = call()
        // A new command ends the chip's wait, and shows whether the connection still works.
        try setProperty(NP_INFINITE_SELECT, false)
        return count >= 1 ? take(found) : .nothing
    }

    /// Polls for a type A card.
    /// - Returns: how many there are, or a negative error; and the card.
    private func call() -> (count: Int32, found: nfc_target) {
        var found = nfc_target()
        let modulation = nfc_modulation(nmt: NMT_ISO14443A, nbr: NBR_106)
        return (nfc_initiator_select_passive_target(handle, modulation, nil, 0, &found), found)
    }

    /// Makes a card that answered the selected one, if it is a smart card.
    private func take(_ found: nfc_target) -> Finding {
        guard found.nti.nai.btSak & Self.smartCardBit != 0 else { return .otherThing }
        target = found
        return .smartCard
    }

    private func setProperty(_ property: nfc_property, _ value: Bool) throws(ReaderError) {
        let status = nfc_device_set_property_bool(handle, property, value)
        guard status >= 0 else { throw fail(status) }
    }

    /// The error for a return code. After a lost card the next one must be selected; any other error breaks the device.
    private func fail(_ status: Int32) -> ReaderError {
        let error = NFCError.readerError(status, device)
        if error.kind == .cardRemoved {
            loseTarget()
        } else {
            target = nil
            isBroken = true
        }
        return error
    }

    private static func prepare(_ handle: OpaquePointer) -> Int32 {
        let status = nfc_initiator_init(handle)
        guard status >= 0 else { return status }
        // Otherwise the chip keeps looking for a card after libnfc has given up.
        return nfc_device_set_property_bool(handle, NP_INFINITE_SELECT, false)
    }

    /// Refuses to open a device whose descriptors would crash the process.
    private static func checkDescriptors() throws(ReaderError) {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        for _ in 0..<descriptorsNeeded {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { taken.append(descriptor) }
            guard (0...highestDescriptor).contains(descriptor) else {
                throw ReaderError(
                    .transportFailed, "Too many files are open to use an NFC reader.",
                    remedy: "Close some and try again.")
            }
        }
    }
}

extension StatusWord {
    /// Whether a status word may start like this: 6xxx or 9xxx, except 60xx, which ISO 7816-3 reserves.
    fileprivate var isPlausible: Bool { (0x61...0x6F).contains(first) || (0x90...0x9F).contains(first) }
}
