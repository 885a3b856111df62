import ArgumentParser
import Bitcoin
import QRCodes
import QRScreens
import Terminal

/// Whether, and where, an address is drawn as a QR code.
struct QRCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw a QR code of the address as a BIP-21 URI: --qr in the terminal, or --qr FILE.png, --qr FILE.svg.",
            valueName: "file"))
    var qr: String?

    /// The requested drawing, checked before any card or server is used; `nil`: none.
    /// - Throws: `Failure`: `.usage` for an unsupported file type, `.cannotWrite`.
    func drawing() throws(Failure) -> QRCodeDrawing? {
        guard let qr else { return nil }
        guard qr != CommandLineText.terminalCode else { return QRCodeDrawing(file: nil) }
        let file = try QRCodeFile(path: qr)
        try file.checkWritable()
        return QRCodeDrawing(file: file)
    }
}

/// A QR code to draw.
struct QRCodeDrawing {
    /// The image's file; `nil`: the terminal.
    let file: QRCodeFile?

    /// The code for a URI; writes its file, if one was requested.
    /// - Throws: `Failure.cannotWrite`, ….
    func prepare(_ uri: PaymentURI) throws(Failure) -> QRCode {
        let code: QRCode
        do { code = try QRCode(uri.qrText) } catch { throw Failure(error) }
        try file?.write(code)
        return code
    }

    /// Draws the code after the answer, or says where it is.
    func show(_ code: QRCode, on console: Console) throws(Failure) {
        guard let file else {
            do { return try console.draw(code, orSaveBy: QRCodeFile.option) } catch { throw Failure(error) }
        }
        console.note("QR code saved to \(file.path).")
    }
}
