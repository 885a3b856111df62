import Glibc
import QRCodes
import TapManager

/// An image file for a QR code, in the format of its file name extension.
struct QRCodeFile: Equatable, Sendable {
    /// The formats that can be written.
    enum Format: String, CaseIterable, Sendable {
        case png, svg
    }

    /// The option that requests one.
    static let option = "--qr FILE.png or FILE.svg"

    /// Why nothing is drawn in a locale that has only ASCII characters.
    static let needsBlocks =
        "A QR code cannot be drawn: your locale has only ASCII characters. Run the command with LC_ALL=C.UTF-8, or "
        + "save the code to a file: \(option)."

    /// The file's path.
    let path: String
    /// The format that the extension names.
    let format: Format

    /// Readable by this user only, like every file of tapkit: an address reveals what its owner has.
    private static let mode: mode_t = 0o600

    /// A file at `path`, checked before a card is used; nothing is written yet.
    /// - Throws: `Failure` with `.usage` for any extension other than `.png` and `.svg`, in upper or lower case.
    init(path: String) throws(Failure) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let point = name.lastIndex(of: "."), point != name.startIndex,
            let format = Format(rawValue: name[point...].dropFirst().lowercased())
        else {
            throw Failure(
                .usage, "\(path): a QR code is saved as .png or .svg.",
                hint: "Use a file name that ends in one of them.")
        }
        self.path = path
        self.format = format
    }

    /// One of several files: `out.png` becomes `out-001.png`.
    /// - Parameter number: counted from 1.
    func numbered(_ number: Int) -> QRCodeFile {
        let ending = path.count - format.rawValue.count - 1
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
        return QRCodeFile(
            path: "\(path.prefix(ending))-\(zeros)\(digits)\(path.dropFirst(ending))", format: format)
    }

    private init(path: String, format: Format) { (self.path, self.format) = (path, format) }

    /// Checks that the image can be written.
    func checkWritable() throws(Failure) {
        do { try AtomicFile.checkWritable(path) } catch { throw Failure(error) }
    }

    /// Writes a code's image, replacing an existing file.
    /// - Throws: `Failure` with `.cannotWrite`.
    func write(_ code: QRCode) throws(Failure) {
        let bytes: [UInt8]
        switch format {
        case .svg: bytes = Array(code.svg().utf8)
        case .png: do { bytes = try code.png() } catch { throw Failure(error) }
        }
        do { try AtomicFile.write(bytes, to: path, mode: Self.mode) } catch { throw Failure(error) }
    }
}
