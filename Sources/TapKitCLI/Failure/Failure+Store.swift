import TapManager

/// How what goes wrong with the local store as a whole is told.
extension Failure {
    /// Nothing was kept there yet.
    static func noStore(in folder: String) -> Failure {
        Failure(
            .noInputFile, "There is no local store in \(folder).",
            hint: "tapkit makes one when it has something to keep; --data-dir names another folder.")
    }

    /// A damaged store of which the rest was written out.
    static func damaged(_ store: String, unreadable: [String], savedTo file: String) -> Failure {
        Failure(
            .storeDamaged,
            lines: ["The local store \(store) is damaged. What can be read was written to \(file); what cannot:"]
                + unreadable.map { "  \($0)" },
            hint: "Move the damaged file away; tapkit begins anew. tapkit tx import takes each psbt of the export.")
    }

    /// A store in which something is wrong.
    init(_ check: StoreCheck) {
        self.init(
            .storeDamaged, lines: ["\(check.file) is damaged:"] + check.problems.map { "  \($0)" },
            hint: "tapkit store export writes out what can still be read. Then move the file away; tapkit begins anew.")
        storeCheck = check
    }
}
