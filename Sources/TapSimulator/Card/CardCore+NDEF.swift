import ByteCodec

/// The tag application and its files: SELECT of the application and of a file, READ BINARY.
///
/// Spec: NFC Forum, Type 4 Tag Operation 2.0, sections 5.4 (commands) and 7.5 (read procedure).
extension CardCore {
    private static let linkRequest = CBOREncoder.encode(.map(["cmd": .text(NFCHandler.name)]))

    /// Selects the tag application, with the link that `nfc` would give at this moment.
    mutating func selectTag() -> [UInt8] {
        guard let request = try? CardRequest(Self.linkRequest),
            case .text(let link)? = (try? carryOut(request, NFCHandler.self, session: nil))?["url"],
            let tag = NDEFTag(link: link)
        else { return Status.noPreciseDiagnosis }
        power?.application = .tag(tag)
        return Status.success
    }

    /// SELECT of one of the tag's files, by its two-byte name.
    mutating func selectFile(_ name: [UInt8], of tag: NDEFTag) -> [UInt8] {
        var tag = tag
        guard tag.open(name) else { return Status.fileNotFound }
        power?.application = .tag(tag)
        return Status.success
    }

    /// READ BINARY of the tag's open file.
    /// - Parameter apdu: four bytes or more.
    func readBinary(_ apdu: [UInt8], of tag: NDEFTag) -> [UInt8] {
        guard apdu.count == 5 else { return Status.wrongLength }
        // With the first bit set, it would be the short name of another file.
        guard apdu[2] & 0x80 == 0 else { return Status.wrongParameters }
        let offset = Int(apdu[2]) << 8 | Int(apdu[3])
        guard let bytes = tag.read(from: offset, count: apdu[4] == 0 ? 256 : Int(apdu[4])) else {
            return Status.noFileOpen
        }
        return bytes.isEmpty ? Status.wrongOffset : bytes + Status.success
    }
}
