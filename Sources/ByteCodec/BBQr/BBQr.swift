/// Files as the texts of QR codes that can be scanned in any order: BBQr, in Base32 and without compression, which every
/// reader must support.
///
/// Spec: BBQr (Coinkite), "Splitting the Data" and "Advanced Encodings".
public enum BBQr {
    /// What a file is.
    public enum FileType: String, Sendable, CaseIterable {
        /// A PSBT, as bytes.
        case psbt = "P"
        /// A transaction, as bytes.
        case transaction = "T"
        /// JSON.
        case json = "J"
        /// UTF-8 text.
        case text = "U"
        /// Any bytes.
        case binary = "B"
    }

    /// Characters before the data of each part.
    static let headerLength = 8
    /// The most parts: two digits of base 36.
    public static let maximumPartCount = 36 * 36 - 1

    /// A file's parts, as few as possible and about equally long.
    ///
    /// - Parameter maximumLength: the most characters in a part, with its header; all are in QR's alphanumeric set.
    /// - Returns: `nil` when it would take more than 1295 parts, or when there is no room for a header (8 characters).
    public static func parts(of bytes: [UInt8], type: FileType, maximumLength: Int) -> [String]? {
        guard maximumLength >= headerLength else { return nil }
        let room = maximumLength - headerLength
        // All parts except the last end at the end of a group of eight characters.
        let length: Int
        if bytes.count <= room * 5 / 8 {
            length = max(1, bytes.count)
        } else {
            let most = room / 8
            guard most > 0 else { return nil }
            let groups = bytes.count.dividedUp(by: 5)
            length = 5 * groups.dividedUp(by: groups.dividedUp(by: most))
        }
        let count = max(1, bytes.count.dividedUp(by: length))
        guard count <= maximumPartCount else { return nil }
        let total = twoDigits(count)
        return (0..<count).map { index in
            let part = bytes[min(bytes.count, index * length)..<min(bytes.count, (index + 1) * length)]
            return "B$2\(type.rawValue)\(total)\(twoDigits(index))\(Base32.encode(part))"
        }
    }

    private static func twoDigits(_ number: Int) -> String {
        let text = String(number, radix: 36, uppercase: true)
        return text.count < 2 ? "0" + text : text
    }
}

extension Int {
    /// This number divided by a positive one, rounded up.
    func dividedUp(by divisor: Int) -> Int { self / divisor + (self % divisor > 0 ? 1 : 0) }
}
