import SmartCard

/// The card below CBOR: SELECT, one instruction, and status words.
///
/// Spec: protocol, "Wire"; ISO 7816-4, sections 5 and 11.2.2.
extension CardCore {
    /// `F0` and `CoinkiteCARDv1`.
    static let applicationIdentifier: [UInt8] = [0xF0] + Array("CoinkiteCARDv1".utf8)

    /// The APDU that selects the card's application.
    static let selection = [0x00, 0xA4, 0x04, 0x00, UInt8(applicationIdentifier.count)] + applicationIdentifier

    enum Status {
        static let success: [UInt8] = [0x90, 0x00]
        static let wrongLength: [UInt8] = [0x67, 0x00]
        static let noFileOpen: [UInt8] = [0x69, 0x86]
        static let fileNotFound: [UInt8] = [0x6A, 0x82]
        static let wrongParameters: [UInt8] = [0x6A, 0x86]
        static let wrongOffset: [UInt8] = [0x6B, 0x00]
        static let instructionNotSupported: [UInt8] = [0x6D, 0x00]
        static let classNotSupported: [UInt8] = [0x6E, 0x00]
        static let noPreciseDiagnosis: [UInt8] = [0x6F, 0x00]
    }

    /// Runs one APDU and returns the response: data and a status word.
    mutating func answer(toAPDU apdu: [UInt8]) -> [UInt8] {
        guard let power, apdu.count >= 4 else {
            return self.power == nil ? Status.instructionNotSupported : Status.wrongLength
        }
        guard apdu[0] == 0x00 else { return Status.classNotSupported }
        switch (apdu[1], power.application) {
        case (0xA4, _): break
        case (0xCB, .tap): break
        case (0xB0, .tag(let tag)): return readBinary(apdu, of: tag)
        default: return Status.instructionNotSupported
        }
        guard let data = Self.data(of: apdu) else { return Status.wrongLength }
        if apdu[1] == 0xA4 { return select(data, parameters: Array(apdu[2...3])) }
        guard apdu[2...3].elementsEqual([0x00, 0x00]) else { return Status.wrongParameters }
        return answer(toRequest: data) + Status.success
    }

    private mutating func select(_ identifier: [UInt8], parameters: [UInt8]) -> [UInt8] {
        if case .tag(let tag) = power?.application, parameters == [0x00, 0x0C] {
            return selectFile(identifier, of: tag)
        }
        guard parameters == [0x04, 0x00] else { return Status.wrongParameters }
        switch identifier {
        case Self.applicationIdentifier:
            power?.application = .tap
            return answer(toRequest: StatusHandler.request) + Status.success
        case NDEFTag.applicationIdentifier: return selectTag()
        default: return Status.fileNotFound
        }
    }

    /// The data of a short APDU; `nil` if its length bytes are inconsistent. Extended lengths are not supported.
    private static func data(of apdu: [UInt8]) -> [UInt8]? {
        guard apdu.count > 5 else { return [] }
        let count = Int(apdu[4])
        let body = apdu.dropFirst(5)
        // After the data there may be one Le byte.
        guard count > 0, body.count == count || body.count == count + 1 else { return nil }
        return Array(body.prefix(count))
    }
}
