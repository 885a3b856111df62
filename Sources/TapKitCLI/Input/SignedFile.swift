import Bitcoin
import Glibc
import TapManager
import Terminal

/// Where a PSBT is read from, and where its signed form is written.
///
/// The signed form from an earlier run is read too, so that an interrupted signing continues where it stopped.
struct SignedFile {
    private static let standardStream = "-"
    private static let mode: mode_t = 0o600

    private let input: String
    private let output: String
    private let form: PSBT.FileForm?
    private let isOverwriting: Bool

    /// Chooses the output's name: the given one, standard output for standard input, or `FILE` with `.signed` before
    /// its extension.
    /// - Parameters:
    ///   - form: the encoding of the signed form; `nil`: that of the input.
    ///   - isOverwriting: whether the output may replace another file.
    init(input: String, output: String?, form: PSBT.FileForm? = nil, overwriting isOverwriting: Bool = false) {
        self.form = form
        self.isOverwriting = isOverwriting
        self.input = input
        self.output = output ?? (input == Self.standardStream ? input : Self.signedName(of: input))
    }

    /// A file that a signed PSBT is written to, with no input file.
    init(copy output: String, overwriting isOverwriting: Bool) {
        self.init(input: output, output: output, overwriting: isOverwriting)
    }

    /// The output file's name; `nil` for standard output.
    var outputName: String? { output == Self.standardStream ? nil : output }

    /// Reads the PSBT, with what an earlier run added to its signed form.
    /// - Throws: `Failure`: `.noInputFile`, `.badPSBT`, and what `combined` throws.
    func read() throws(Failure) -> PSBT {
        let name = input == Self.standardStream ? "standard input" : input
        let psbt = try Self.parse(InputFile.read(input, limit: PSBT.maximumFileSize), name: name)
        return outputName == input ? psbt : try combined(psbt)
    }

    /// A PSBT combined with its signed form, if that exists.
    /// - Throws: `Failure.wouldOverwrite` if the output is something else, which would be lost.
    func combined(_ psbt: PSBT) throws(Failure) -> PSBT {
        guard let outputName, Self.isFile(outputName) else { return psbt }
        if let bytes = try? InputFile.read(outputName, limit: PSBT.maximumFileSize),
            let earlier = try? PSBT(fileContent: bytes), let combined = try? psbt.combined(with: earlier)
        {
            return combined
        }
        guard isOverwriting else { throw .wouldOverwrite(outputName, because: "is not a signed form of this PSBT") }
        return psbt
    }

    /// Checks that nothing is lost when the output is overwritten.
    /// - Parameter isKept: whether the contents of a PSBT at the output's path are stored elsewhere, too.
    /// - Throws: `Failure.wouldOverwrite`, what `isKept` throws.
    func requireReplaceable(_ isKept: (PSBT) throws -> Bool) throws {
        guard !isOverwriting, let outputName, Self.isFile(outputName) else { return }
        if let bytes = try? InputFile.read(outputName, limit: PSBT.maximumFileSize),
            let psbt = try? PSBT(fileContent: bytes), try isKept(psbt)
        {
            return
        }
        throw Failure.wouldOverwrite(outputName)
    }

    /// Whether a path is a regular file; a device or pipe holds no earlier result, and reading it might never end.
    private static func isFile(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// Checks, before the card signs, that the result can be written.
    func checkWritable() throws(Failure) {
        guard let outputName else { return }
        do { try AtomicFile.checkWritable(outputName) } catch { throw Failure(error) }
    }

    /// Writes the signed PSBT in the requested encoding, or in that of the input.
    func write(_ psbt: PSBT) throws(Failure) {
        guard let outputName else { return }
        do { try AtomicFile.write(psbt.encoded(as: form ?? psbt.fileForm), to: outputName, mode: Self.mode) } catch {
            throw Failure(error)
        }
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

    /// `tx.psbt` becomes `tx.signed.psbt`, `tx` becomes `tx.signed`.
    static func signedName(of path: String) -> String {
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        guard let point = path[nameStart...].lastIndex(of: "."), point != nameStart else { return path + ".signed" }
        return path[..<point] + ".signed" + path[point...]
    }
}
