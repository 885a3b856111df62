import Bitcoin
import Glibc

/// A file for a signed PSBT. What an earlier run signed is read from it, so that an interrupted signing continues where
/// it stopped; other content is not lost by accident.
package struct SignedPSBTFile: Sendable, Hashable {
    private static let mode: mode_t = 0o600

    /// The file's path, as given.
    package let path: String
    private let form: PSBT.FileForm?
    private let isOverwriting: Bool

    /// - Parameters:
    ///   - form: the encoding; `nil`: that of the PSBT that is written.
    ///   - isOverwriting: whether the file may be replaced, whatever is in it.
    package init(path: String, form: PSBT.FileForm? = nil, overwriting isOverwriting: Bool = false) {
        self.path = path
        self.form = form
        self.isOverwriting = isOverwriting
    }

    /// The usual path for the signed form of a PSBT: `tx.psbt` becomes `tx.signed.psbt`, `tx` becomes `tx.signed`.
    package static func usualPath(forSigned path: String) -> String {
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        guard let point = path[nameStart...].lastIndex(of: "."), point != nameStart else { return path + ".signed" }
        return path[..<point] + ".signed" + path[point...]
    }

    /// A PSBT combined with what an earlier run wrote to the file, if it exists.
    /// - Throws: `.notSignedForm` if it has something else, which would be lost.
    package func combined(_ psbt: PSBT) throws(OverwritingError) -> PSBT {
        guard isThere else { return psbt }
        if let earlier, let combined = try? psbt.combined(with: earlier) { return combined }
        guard isOverwriting else { throw .notSignedForm(path) }
        return psbt
    }

    /// A signed PSBT with the signatures that only the file has, each of them verified, and its final inputs. A signature that
    /// both have stays as it is.
    /// - Throws: as `combined`.
    private func completed(_ psbt: PSBT) throws(OverwritingError) -> PSBT {
        guard isThere else { return psbt }
        guard let earlier, let combined = try? psbt.combined(with: earlier) else {
            guard isOverwriting else { throw .notSignedForm(path) }
            return psbt
        }
        let isFinalThere = zip(psbt.inputs, earlier.inputs).contains { !$0.isFinal && $1.isFinal }
        return isFinalThere ? combined : psbt.takingSignatures(of: earlier)
    }

    /// Confirms that nothing is lost when the file is replaced.
    /// - Parameter isKept: whether everything in the PSBT that the file has is stored elsewhere, too.
    /// - Throws: `OverwritingError.exists`, and what `isKept` throws.
    package func requireReplaceable(ifKept isKept: (PSBT) throws -> Bool = { _ in false }) throws {
        guard !isOverwriting, isThere else { return }
        guard let earlier, try isKept(earlier) else { throw OverwritingError.exists(path) }
    }

    /// Confirms, before a card signs, that the file can be written.
    package func checkWritable() throws(WritingError) { try AtomicFile.checkWritable(path) }

    /// Writes a signed PSBT: the whole file or nothing. Signatures that only the file has, because another run wrote them
    /// meanwhile, are not lost.
    /// - Throws: `OverwritingError.notSignedForm` if the file has become something else, which would be lost;
    ///   `WritingError`.
    package func write(_ psbt: PSBT) throws {
        let whole = try completed(psbt)
        try AtomicFile.write(whole.encoded(as: form ?? psbt.fileForm), to: path, mode: Self.mode)
    }

    /// A device or pipe holds no earlier result, and reading it might never end.
    private var isThere: Bool { AtomicFile.length(of: path) != nil }

    private var earlier: PSBT? {
        AtomicFile.content(of: path, limit: PSBT.maximumFileSize).flatMap { try? PSBT(fileContent: $0) }
    }
}
