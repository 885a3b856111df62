/// The card as a phone sees it: a tag with one link, and two files to read it from.
///
/// Spec: NFC Forum, Type 4 Tag Operation 2.0, section 5; NDEF 1.0, section 3.2; URI Record Type Definition 1.0,
/// section 3.2.
struct NDEFTag: Sendable {
    /// The tag application, version 2.
    static let applicationIdentifier: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]

    private static let containerName: [UInt8] = [0xE1, 0x03]
    private static let messageName: [UInt8] = [0xE1, 0x04]
    /// The size of the message's file, including its length field: what follows the message is zero.
    private static let fileSize = 0x0200
    private static let prefix = "https://"

    /// The capability container: its length, version 2.0, 255 bytes each way, and the location of the message, which
    /// anyone may read and nobody may write.
    private static let container: [UInt8] =
        [0x00, 0x0F, 0x20, 0x00, 0xFF, 0x00, 0xFF, 0x04, 0x06] + messageName
        + [UInt8(fileSize >> 8), UInt8(fileSize & 0xFF), 0x00, 0xFF]

    private let messageFile: [UInt8]
    private var openFile: [UInt8]?

    /// Creates a tag with a link.
    /// - Returns: `nil` for a link that does not begin with `https://`, or has more than 255 bytes after that.
    init?(link: String) {
        guard link.hasPrefix(Self.prefix) else { return nil }
        // The prefix's number, then the rest of the link as it is.
        let payload = [0x04] + link.utf8.dropFirst(Self.prefix.utf8.count)
        guard payload.count <= 0xFF else { return nil }
        // The only record, a short one, of the well-known type U.
        let record = [0xD1, 0x01, UInt8(payload.count), 0x55] + payload
        let used = [UInt8(record.count >> 8), UInt8(record.count & 0xFF)] + record
        messageFile = used + [UInt8](repeating: 0, count: Self.fileSize - used.count)
    }

    /// Opens a file.
    /// - Returns: whether there is a file with this name.
    mutating func open(_ name: [UInt8]) -> Bool {
        switch name {
        case Self.containerName: openFile = Self.container
        case Self.messageName: openFile = messageFile
        default: return false
        }
        return true
    }

    /// The bytes of the open file from an offset, as many as there are; `nil` if no file is open. Empty for an offset
    /// past the end.
    func read(from offset: Int, count: Int) -> [UInt8]? { openFile.map { Array($0.dropFirst(offset).prefix(count)) } }
}
