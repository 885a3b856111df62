import CNFC
import Glibc
import SmartCard

/// An open libnfc device in reader mode. Not thread-safe: `NFCPort` lets one thread at it at a time.
///
/// Spec: libnfc; ISO 14443-3 and -4 type A.
final class NFCDevice {
    /// The longest command that libnfc takes; one byte more ends the process.
    static let longestCommand = 262
    /// Room for the longest answer of a short APDU, 258 bytes, and some more so that longer ones show as what they are.
    private static let answerCapacity = 512
    /// How long a card may work on a command, in milliseconds. libnfc's own default, 350 ms, is shorter than a
    /// signature takes.
    private static let longestWork: Int32 = 10_000
    /// libnfc waits with `select`, which a descriptor from 1024 on breaks. Opening takes three.
    private static let descriptorsNeeded = 3
    private static let highestDescriptor: Int32 = 1023
    /// ISO 14443-3: the bit of SAK that says "ISO 14443-4".
    private static let smartCardBit: UInt8 = 0x20

    /// What a look at the field found.
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
    /// Whether the line failed: only opening the device again helps.
    private(set) var isBroken = false

    /// Opens the device and switches its field on; takes about 50 ms, with a silent port 1.4 s.
    /// - Throws: `ReaderError`: `.noReader`, `.permissionDenied`, `.readerBusy`, `.transportFailed`.
    init(_ device: NFCConnectionString) throws(ReaderError) {
        if let problem = NFCError.portProblem(device) { throw problem }
        lock = try NFCPortLock(device)
        try Self.checkDescriptors()
        guard let handle = NFCContext.open(device) else { throw NFCError.cannotOpen(device) }
        let status = Self.prepare(handle)
        guard status >= 0 else {
            NFCContext.close(handle)
            throw NFCError.readerError(status, device)
        }
        self.device = device
        self.handle = handle
    }

    deinit { NFCContext.close(handle) }

    /// Looks for a card and selects it. One that is selected already is asked whether it is still there.
    /// - Parameter isWaiting: let the chip wait for one, for a third of a second.
    /// - Throws: `ReaderError`: `.readerGone`, `.transportFailed`: then the device is broken.
    func look(isWaiting: Bool = false) throws(ReaderError) -> Finding {
        if target != nil {
            if try isTargetPresent() { return .smartCard }
            loseTarget()
        }
        return try isWaiting ? selectWhenItComes() : select()
    }

    /// Selects the card anew, as after its return.
    /// - Throws: as `look`.
    func selectAgain() throws(ReaderError) -> Finding {
        letGo()
        let finding = try select()
        // Whoever watches saw a card until now, and may see it again at its next look: it must learn of the moment between.
        if finding != .smartCard { losses += 1 }
        return finding
    }

    /// Whether the card that was selected is still there and has kept its power.
    /// - Throws: as `look`.
    func keepsCard() throws(ReaderError) -> Bool {
        guard target != nil else { return false }
        if try isTargetPresent() { return true }
        loseTarget()
        return false
    }

    /// Sends one command and waits for its answer.
    /// - Parameter command: 4 to 262 bytes; the caller checks.
    /// - Throws: `ReaderError`: `.cardRemoved`, then another `select` is needed; `.readerGone`, `.transportFailed`, then
    ///   the device is broken.
    func transceive(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        guard target != nil else { throw NFCError.cardRemoved }
        var answer = [UInt8](repeating: 0, count: Self.answerCapacity)
        let count = nfc_initiator_transceive_bytes(
            handle, command, command.count, &answer, answer.count, Self.longestWork)
        guard count >= 0 else { throw fail(count) }
        let bytes = Array(answer.prefix(Int(count)))
        // A card that is lost in the middle of a long answer shows as success with the beginning of the answer.
        guard let status = ResponseAPDU(bytes)?.status, status.isPlausible else {
            loseTarget()
            throw NFCError.cardRemoved
        }
        return bytes
    }

    /// Ends the conversation with the card, which stays in the field.
    func letGo() {
        guard target != nil else { return }
        target = nil
        // Its result tells nothing: 1 is success, and a card that is away cannot be deselected.
        if !isBroken { _ = nfc_initiator_deselect_target(handle) }
    }

    /// How often a selected card was found to be gone, or another, since the last time this was asked.
    func takeLosses() -> Int {
        defer { losses = 0 }
        return losses
    }

    private func loseTarget() {
        if target != nil { losses += 1 }
        target = nil
    }

    private func isTargetPresent() throws(ReaderError) -> Bool {
        let status = nfc_initiator_target_is_present(handle, nil)
        if status == NFC_EIO || status == NFC_ETIMEOUT { throw fail(status) }
        return status == NFC_SUCCESS
    }

    private func select() throws(ReaderError) -> Finding {
        let (count, found) = call()
        switch count {
        case 1...: return take(found)
        // A card that comes or goes in the middle of being selected answers in part.
        case 0, NFC_ERFTRANS, NFC_ETGRELEASED, NFC_EINVARG: return .nothing
        default: throw fail(count)
        }
    }

    /// Lets the chip look for a card by itself until libnfc's time is over: it answers as soon as there is one.
    private func selectWhenItComes() throws(ReaderError) -> Finding {
        try setProperty(NP_INFINITE_SELECT, true)
        let (count, found) = call()
        // A new command ends the chip's wait, and shows whether the line is in order.
        try setProperty(NP_INFINITE_SELECT, false)
        return count >= 1 ? take(found) : .nothing
    }

    /// Calls a card of type A.
    /// - Returns: how many there are, or an error below 0; and the card.
    private func call() -> (count: Int32, found: nfc_target) {
        var found = nfc_target()
        let modulation = nfc_modulation(nmt: NMT_ISO14443A, nbr: NBR_106)
        return (nfc_initiator_select_passive_target(handle, modulation, nil, 0, &found), found)
    }

    /// Takes a card that answered for the selected one, if it is a smart card.
    private func take(_ found: nfc_target) -> Finding {
        guard found.nti.nai.btSak & Self.smartCardBit != 0 else { return .otherThing }
        target = found
        return .smartCard
    }

    private func setProperty(_ property: nfc_property, _ value: Bool) throws(ReaderError) {
        let status = nfc_device_set_property_bool(handle, property, value)
        guard status >= 0 else { throw fail(status) }
    }

    /// The error for a return code. After a lost card the next one must be selected; all else breaks the device.
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
        // Otherwise the chip goes on looking for a card after libnfc has given up.
        return nfc_device_set_property_bool(handle, NP_INFINITE_SELECT, false)
    }

    /// Refuses to open a device whose descriptors would end the process.
    private static func checkDescriptors() throws(ReaderError) {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        for _ in 0..<descriptorsNeeded {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { taken.append(descriptor) }
            guard (0...highestDescriptor).contains(descriptor) else {
                throw ReaderError(
                    .transportFailed, "Too many files are open to use an NFC reader.",
                    remedy: "Close some, then try again.")
            }
        }
    }
}

extension StatusWord {
    /// Whether a card may end its answer so: 6xxx or 9xxx, but 60xx, which ISO 7816-3 keeps for itself.
    fileprivate var isPlausible: Bool { (0x61...0x6F).contains(first) || (0x90...0x9F).contains(first) }
}
