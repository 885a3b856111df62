import CQREncode
import Glibc

/// A QR code: a square of dark and light modules.
///
/// Made by libqrencode in the smallest version that the text fits, unless a larger one is asked for. Capitals and digits
/// take less room than other characters.
package struct QRCode: Hashable, Sendable {
    /// Modules per side, without a margin: 21, 25, …, 177.
    package let size: Int
    private let modules: [Bool]

    /// How much of a code may be unreadable.
    package enum Level: Sendable {
        /// 7 %: for codes shown only on a screen, to fit more in.
        case low
        /// 15 %.
        case medium
    }

    /// The code of an ASCII text.
    /// - Parameter version: the smallest version to use, 1 to 40; 0: any.
    /// - Throws: `.tooLong` when no code can hold it, `.characters` when it is not ASCII or contains NUL, `.empty`.
    package init(_ text: String, level: Level = .medium, version: Int = 0) throws(QRCodeError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.allSatisfy({ $0 > 0 && $0 < 0x80 }) else { throw .characters }
        guard
            let code = QRcode_encodeString(
                text, Int32(clamping: min(version, Self.largestVersion)), level == .low ? QR_ECLEVEL_L : QR_ECLEVEL_M,
                QR_MODE_8, 1)
        else {
            let problem = errno
            guard problem == ERANGE else { throw .system(String(cString: strerror(problem))) }
            throw .tooLong(bytes: text.utf8.count, limit: level.capacity)
        }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // Bit 0 of a module's byte is its colour, the others say what it is for.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; outside the code, none is.
    package subscript(column: Int, row: Int) -> Bool {
        (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
    }

    /// Modules of light margin that the standard requires on each side.
    ///
    /// Spec: ISO/IEC 18004, "Quiet zone".
    package static let quietZone = 4
}
