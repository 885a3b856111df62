import Bitcoin
import Glibc
import TapManager
import Terminal

/// The files that a command line names: where a PSBT is read from, and where its signed form is written.
struct PSBTFiles {
    private static let standardStream = "-"

    private let input: String
    private let form: PSBT.FileForm?
    /// The file for the signed form; `nil` for standard output.
    let output: SignedPSBTFile?

    /// Chooses the output: the given one, or the usual one for the input; standard output for standard input and other
    /// open descriptors, which have no place beside them.
    /// - Parameters:
    ///   - form: the encoding of the signed form; `nil`: that of the input.
    ///   - isOverwriting: whether the output may replace another file.
    init(input: String, output: String?, form: PSBT.FileForm? = nil, overwriting isOverwriting: Bool = false) {
        self.input = input
        self.form = form
        let output =
            output
            ?? (InputFile.isDescriptor(input) ? Self.standardStream : SignedPSBTFile.usualPath(forSigned: input))
        self.output =
            output == Self.standardStream ? nil : SignedPSBTFile(path: output, form: form, overwriting: isOverwriting)
    }

    /// A file that a signed PSBT is written to, with no input file.
    init(copy output: String, overwriting isOverwriting: Bool) {
        self.init(input: output, output: output, overwriting: isOverwriting)
    }

    /// Reads the PSBT, with what an earlier run added to its signed form.
    /// - Throws: `Failure`: `.noInputFile`, `.badPSBT`, and what `combined` throws.
    func read() throws(Failure) -> PSBT {
        let name = InputFile.isStandardInput(input) ? "standard input" : input
        let psbt = try Self.parse(InputFile.read(input, limit: PSBT.maximumFileSize), name: name)
        return output?.path == input ? psbt : try combined(psbt)
    }

    /// A PSBT combined with its signed form, if that exists.
    /// - Throws: `Failure.wouldOverwrite` if the output is something else, which would be lost.
    func combined(_ psbt: PSBT) throws(Failure) -> PSBT {
        do { return try output?.combined(psbt) ?? psbt } catch { throw Failure(error) }
    }

    /// Checks, before the card signs, that the result can be written.
    func checkWritable() throws(Failure) {
        do { try output?.checkWritable() } catch { throw Failure(error) }
    }

    /// Writes a PSBT to standard output in the requested encoding.
    func print(_ psbt: PSBT) { Self.print(psbt, as: form) }

    /// Writes a PSBT to standard output, by default in the encoding of the input; on a terminal, a binary one as
    /// Base64.
    static func print(_ psbt: PSBT, as named: PSBT.FileForm? = nil) {
        let form = named ?? (psbt.fileForm == .binary && isatty(STDOUT_FILENO) == 1 ? .base64 : psbt.fileForm)
        let lineEnd: [UInt8] = form == .binary ? [] : [UInt8(ascii: "\n")]
        Console.write(psbt.encoded(as: form) + lineEnd, to: STDOUT_FILENO)
    }

    private static func parse(_ bytes: [UInt8], name: String) throws(Failure) -> PSBT {
        do { return try PSBT(fileContent: bytes) } catch { throw Failure(error, file: name) }
    }
}
