import Bitcoin
import TapManager

/// Where a PSBT comes from, and where its signed form goes.
enum SigningTarget {
    /// An input file and an output file.
    case file(SignedFile)
    /// The local store, and a file if one was named.
    case stored(StoredTransaction, copy: SignedFile?)

    /// The PSBT, with the signatures from earlier runs.
    func read() throws(Failure) -> PSBT {
        switch self {
        case .file(let file): try file.read()
        case .stored(let transaction, let copy): try copy?.combined(transaction.psbt) ?? transaction.psbt
        }
    }

    /// Checks, before the card signs, that the result can be written.
    func checkWritable() throws(Failure) { try file?.checkWritable() }

    /// Writes the signed PSBT.
    func write(_ psbt: PSBT) throws(Failure) {
        guard case .stored(_, let copy?) = self else {
            try file?.write(psbt)
            return
        }
        // Signatures that only the file has are kept, together with those that only the store has.
        try copy.write((try? copy.combined(psbt)) ?? psbt)
    }

    /// The file with the result; `nil` if there is none.
    var outputName: String? { file?.outputName }

    /// Whether it is a stored transaction.
    var isStored: Bool { if case .stored = self { true } else { false } }

    /// Whether the result goes only to standard output, so that it must not be lost.
    var isPrinted: Bool { file.map { $0.outputName == nil } ?? false }

    /// Writes the PSBT to standard output.
    func print(_ psbt: PSBT) { file?.print(psbt) }

    private var file: SignedFile? {
        switch self {
        case .file(let file): file
        case .stored(_, let copy): copy
        }
    }
}
