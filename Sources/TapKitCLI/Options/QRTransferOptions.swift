import ArgumentParser
import Glibc
import QRCodes
import QRScreens
import Terminal

/// Whether, where and how a result is drawn as QR codes, for programs that read it with a camera.
struct QRTransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also draw the result as QR codes: --qr in the terminal (several codes alternate until a key is pressed), "
                + "or --qr FILE.png, --qr FILE.svg (several codes are numbered: FILE-001.png, …).",
            valueName: "file"))
    var qr: String?

    @Option(
        name: .customLong("qr-format"),
        help: ArgumentHelp(
            "The format of several codes: bbqr (fewer and smaller codes; Coldcard Q, Sparrow, Nunchuk, "
                + "Cove, …) or ur (Specter, BlueWallet, Keystone, Passport, …).",
            valueName: "format"))
    var format = QRFormat.bbqr

    /// The requested drawing, checked before any card is used; `nil`: none.
    /// - Throws: `Failure`: `.usage` for an unsupported file type, `.cannotWrite`.
    func transfer() throws(Failure) -> QRTransfer? {
        guard let qr else { return nil }
        guard qr != CommandLineText.terminalCode else { return QRTransfer(file: nil, format: format) }
        let file = try QRCodeFile(path: qr)
        try file.checkWritable()
        return QRTransfer(file: file, format: format)
    }
}

extension QRFormat: ExpressibleByArgument {}

/// QR codes of a result, to be drawn.
struct QRTransfer {
    /// The image's file; `nil`: the terminal.
    let file: QRCodeFile?
    let format: QRFormat

    /// Writes the images, if files were requested.
    /// - Returns: their names; `nil` for codes that are shown on the terminal.
    /// - Throws: `Failure`: `.cannotWrite`, ….
    func write(_ content: QRContent) throws(Failure) -> [String]? {
        guard let file else { return nil }
        var codes: [QRCode] = []
        do throws(QRCodeError) {
            let sequence = try QRSequence(content, format, limit: QRSequence.largestVersion)
            for index in 0..<sequence.count { codes.append(try sequence.code(index)) }
        } catch { throw Failure(error) }
        var files: [String] = []
        for (index, code) in codes.enumerated() {
            let target = codes.count == 1 ? file : file.numbered(index + 1)
            try target.write(code)
            files.append(target.path)
        }
        return files
    }

    /// Shows the codes after the answer, or says where they are.
    /// - Parameters:
    ///   - files: what `write` returned.
    ///   - hasAnswer: whether standard output has the answer, which must not be mixed with codes.
    /// - Throws: `Failure`: why nothing can be drawn; with JSON, it is only a note, as the answer is there already.
    func show(_ content: QRContent, _ files: [String]?, on console: Console, hasAnswer: Bool) throws(Failure) {
        if let files, let first = files.first, let last = files.last {
            let names = files.count == 1 ? first : "\(first) to \(last)"
            return console.note("\(files.count == 1 ? "QR code" : "QR codes") saved to \(names).")
        }
        let isOnError = console.isJSON || (hasAnswer && isatty(STDOUT_FILENO) == 0)
        let screen = QRScreen(on: isOnError ? STDERR_FILENO : STDOUT_FILENO, orSaveBy: QRCodeFile.option)
        do throws(QRCodeError) { try screen.show(content, format) } catch {
            guard console.isJSON else { throw Failure(error) }
            console.note(error.message)
        }
    }
}
