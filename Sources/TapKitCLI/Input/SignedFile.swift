import Bitcoin
import Glibc
import TapManager

/// Where a PSBT is read from and its signed form goes.
///
/// The signed form of an earlier run is read too, so that an interrupted signing goes on where it stopped.
struct SignedFile {
    private static let standardStream = "-"
    private static let mode: mode_t = 0o600

    private let input: String
    private let output: String
    private let isOutputNamed: Bool
    private let form: PSBT.FileForm?

    /// Chooses the output's name: the one given, standard output for standard input, or `FILE` with `.signed` before its
    /// ending.
    /// - Parameter form: how the signed form is written; `nil`: as the PSBT came.
    init(input: String, output: String?, form: PSBT.FileForm? = nil) {
        self.form = form
        self.input = input
        isOutputNamed = output != nil
        self.output = output ?? (input == Self.standardStream ? input : Self.signedName(of: input))
    }

    /// The output file's name; `nil` when it is standard output.
    var outputName: String? { output == Self.standardStream ? nil : output }

    /// Reads the PSBT, with what an earlier run added to its signed form.
    /// - Throws: `Failure`: `.noInputFile`, `.badPSBT`, `.wouldOverwrite` when the output exists, was not named, and is
    ///   something else.
    func read() throws(Failure) -> PSBT {
        let name = input == Self.standardStream ? "standard input" : input
        let psbt = try Self.parse(InputFile.read(input, limit: PSBT.maximumFileSize), name: name)
        guard let outputName, outputName != input, Self.isFile(outputName) else { return psbt }
        guard let bytes = try? InputFile.read(outputName, limit: PSBT.maximumFileSize),
            let earlier = try? PSBT(fileContent: bytes), let combined = try? psbt.combined(with: earlier)
        else {
            if isOutputNamed { return psbt }
            throw Failure(
                .wouldOverwrite, "\(outputName) exists and is not this PSBT's signed form.",
                hint: "Move it away, or name the output with -o.")
        }
        return combined
    }

    /// Whether there is an ordinary file; a device or a pipe holds no earlier result, and reading it might never end.
    private static func isFile(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// Confirms, before the card is asked to sign, that the result can be written.
    func checkWritable() throws(Failure) {
        guard let outputName else { return }
        do { try AtomicFile.checkWritable(outputName) } catch { throw Failure(error) }
    }

    /// Writes the signed PSBT in the form that was asked for, or in which the input came.
    func write(_ psbt: PSBT) throws(Failure) {
        guard let outputName else { return }
        do { try AtomicFile.write(psbt.encoded(as: form ?? psbt.fileForm), to: outputName, mode: Self.mode) } catch {
            throw Failure(error)
        }
    }

    /// Writes a PSBT to standard output in the form that was asked for.
    func print(_ psbt: PSBT) { Self.print(psbt, as: form) }

    /// Writes a PSBT to standard output, unless told otherwise in the form in which it came; a binary one as Base64 when
    /// that is a terminal.
    static func print(_ psbt: PSBT, as named: PSBT.FileForm? = nil) {
        let form = named ?? (psbt.fileForm == .binary && isatty(STDOUT_FILENO) == 1 ? .base64 : psbt.fileForm)
        let lineEnd: [UInt8] = form == .binary ? [] : [UInt8(ascii: "\n")]
        Console.write(psbt.encoded(as: form) + lineEnd, to: STDOUT_FILENO)
    }

    private static func parse(_ bytes: [UInt8], name: String) throws(Failure) -> PSBT {
        do { return try PSBT(fileContent: bytes) } catch { throw Failure(error, file: name) }
    }

    /// `tx.psbt` becomes `tx.signed.psbt`, `tx` becomes `tx.signed`.
    static func signedName(of path: String) -> String {
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        guard let point = path[nameStart...].lastIndex(of: "."), point != nameStart else { return path + ".signed" }
        return path[..<point] + ".signed" + path[point...]
    }
}
