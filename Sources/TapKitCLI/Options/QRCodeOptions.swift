import ArgumentParser
import Bitcoin
import QRCodes

/// Whether, and where, an address is drawn as a QR code.
struct QRCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw a QR code of the address as a BIP-21 URI: --qr in the terminal, or --qr FILE.png, --qr FILE.svg.",
            valueName: "file"))
    var qr: String?

    /// The drawing that was asked for, to be looked at before any card or server is asked; `nil`: none.
    /// - Throws: `Failure`: `.usage` for another kind of file, `.cannotWrite`.
    func drawing() throws(Failure) -> QRCodeDrawing? {
        guard let qr else { return nil }
        guard qr != CommandLineText.terminalCode else { return QRCodeDrawing(file: nil) }
        let file = try QRCodeFile(path: qr)
        try file.checkWritable()
        return QRCodeDrawing(file: file)
    }
}

/// A QR code that is to be drawn.
struct QRCodeDrawing {
    /// The image's file; `nil`: the terminal.
    let file: QRCodeFile?

    /// The code of a URI; its file is written.
    /// - Throws: `Failure.cannotWrite`, ….
    func prepare(_ uri: PaymentURI) throws(Failure) -> QRCode {
        let code: QRCode
        do { code = try QRCode(uri.qrText) } catch { throw Failure(error) }
        try file?.write(code)
        return code
    }

    /// Draws the code behind the answer, or says where it is.
    func show(_ code: QRCode, on console: Console) throws(Failure) {
        guard let file else { return try console.draw(code) }
        console.note("QR code written to \(file.path).")
    }
}
