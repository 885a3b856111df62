import QRCodes
import Terminal

extension TerminalRoom {
    /// The lines that a code may take: the last one is for its caption.
    var codeLines: Int? { lines.map { $0 - 1 } }

    /// The largest version that fits with the smaller margin; 0 or less if none does.
    var version: Int {
        let width = columns ?? .max
        let height = codeLines.map { 2 * max(0, $0) } ?? .max
        let size = min(width, height, QRCode.size(ofVersion: QRCode.largestVersion) + 2 * QRCode.narrowQuietZone)
        return QRCode.version(ofSize: size - 2 * QRCode.narrowQuietZone)
    }

    /// The size of a version with the smaller margin.
    static func needed(for version: Int) -> (columns: Int, lines: Int) {
        let side = QRCode.size(ofVersion: version) + 2 * QRCode.narrowQuietZone
        return (side, (side + 1) / 2 + 1)
    }
}
