import ExplainedErrors
import TapManager

/// Failures of the local store as a whole.
extension Failure {
    /// Nothing has been stored there yet.
    static func noStore(in folder: String) -> Failure {
        Failure(
            .noInputFile, "There is no local store in \(folder).",
            hint: "tapkit creates one when it has something to store. Use --data-dir for another folder.")
    }

    /// A damaged store, of which the readable part was exported.
    /// - Parameter place: a file, or standard output, by its name.
    static func damaged(_ store: String, unreadable: [String], savedTo place: String) -> Failure {
        Failure(
            .storeDamaged,
            lines: ["The local store \(store) is damaged. What could be read was written to \(place). Not readable:"]
                + unreadable.map { "  \($0)" },
            hint:
                "Move the damaged file away, but keep it; tapkit then creates a new store. Add each wallet again from "
                + "its descriptors in the export with tapkit wallet add, and import each psbt with tapkit tx import. "
                + "A wallet that is named above may be incomplete: compare its descriptors with another copy first.")
    }

    /// A store with problems.
    init(_ check: StoreCheck) {
        // Damage must not make less of a failed proof.
        let wallets: [any ExplainedError] = check.altered + check.unsafe
        let failed = wallets.first { $0.code.exitStatus == .proofFailed }
        self.init(
            failed?.code ?? .storeDamaged,
            lines: ["\(check.file) is damaged:"] + check.problems.map { "  \($0)" } + check.altered.map(\.message)
                + check.unsafe.map(\.message),
            hint:
                "tapkit store export saves what can still be read. Then move the file away, but keep it; "
                + "tapkit creates a new store."
        )
        storeCheck = check
    }
}
