/// The ACR122U's own commands: APDUs of class FF, as escape messages or instead of a card's.
///
/// Not known from hardware: what the reader does with a chip's response that is too long for a message. Here the chip
/// gives it in parts, of which libnfc takes one after the other.
///
/// Spec: ACS, ACR122U Application Programming Interface, sections 5 and 6; libnfc 1.8.0, driver `acr122_usb`.
struct ACR122Firmware {
    /// What comes of a command.
    enum Outcome: Equatable {
        case answer([UInt8])
        /// The chip gets this frame, and its response is the answer.
        case frame([UInt8])
    }

    /// The byte that wakes a chip.
    static let wakeUp: [UInt8] = [0x55]
    private static let success: [UInt8] = [0x90, 0x00]
    private static let failed: [UInt8] = [0x63, 0x00]
    /// The first byte of the status word if a response waits to be fetched; the second is its length.
    private static let waiting: UInt8 = 0x61
    /// The command that fetches it, up to its length.
    private static let fetch: [UInt8] = [0xFF, 0xC0, 0x00, 0x00]
    /// The status word if the chip answers with an error frame.
    private static let chipRefuses: [UInt8] = [0x63, 0x7F]
    private static let chipError: [UInt8] = [0x7F]
    private static let toChip: UInt8 = 0xD4

    /// Its release, as binary-coded decimals.
    let version: UInt16
    /// Whether a chip's response is kept until it is fetched, as over T=0.
    let keepsResponses: Bool
    private var kept: [UInt8] = []
    /// Which kinds of cards the reader polls for, and how; nothing depends on it here.
    private var operatingParameter: UInt8 = 0xFF

    init(version: UInt16, keepsResponses: Bool = false) {
        (self.version, self.keepsResponses) = (version, keepsResponses)
    }

    /// The reader lost its power.
    mutating func restart() { self = Self(version: version, keepsResponses: keepsResponses) }

    mutating func run(_ apdu: [UInt8]) -> Outcome {
        if keepsResponses, apdu.count == 5, apdu.starts(with: Self.fetch) { return .answer(takeKept(length: apdu[4])) }
        guard apdu.count >= 5, apdu[0] == 0xFF, apdu[1] == 0x00 else { return .answer(Self.failed) }
        switch (apdu[2], apdu[3]) {
        case (0x00, 0x00): return Self.frame(in: apdu)
        case (0x48, _): return .answer(Array("ACR122U\(String(version, radix: 16))".utf8))
        // The lights and the buzzer: there are none, and the answer says that all lights are off.
        case (0x40, _), (0x41, _), (0x52, _): return .answer(Self.success)
        case (0x50, _): return .answer([0x90, operatingParameter])
        case (0x51, let parameter):
            operatingParameter = parameter
            return .answer([0x90, parameter])
        default: return .answer(Self.failed)
        }
    }

    private static func frame(in apdu: [UInt8]) -> Outcome {
        let frame = apdu.dropFirst(5)
        guard frame.count == Int(apdu[4]), frame.count > 1, frame.first == toChip else { return .answer(failed) }
        return .frame(Array(frame.dropFirst()))
    }

    /// The reader's answer that carries a chip's response, or says that it can be fetched.
    /// - Parameter data: the response's data, beginning with its direction; `nil` if its checksum is wrong.
    mutating func answer(_ data: [UInt8]?) -> [UInt8] {
        guard let data else { return Self.failed }
        guard data != Self.chipError else { return Self.chipRefuses }
        let answer = data + Self.success
        guard keepsResponses else { return answer }
        kept = answer
        return [Self.waiting, UInt8(clamping: answer.count)]
    }

    /// Gives the kept response, once.
    /// - Parameter length: how many bytes; 0 for 256.
    private mutating func takeKept(length: UInt8) -> [UInt8] {
        defer { kept = [] }
        return kept.isEmpty ? Self.failed : Array(kept.prefix(length == 0 ? 256 : Int(length)))
    }
}

extension PN532Edition {
    /// The chip of an ACR122U. What it says must fit into the 255 bytes that libnfc takes from the reader.
    static let acr122 = Self(firmware: [0x32, 0x01, 0x04, 0x07], registersHaveStatus: false, longestData: 253)
}
