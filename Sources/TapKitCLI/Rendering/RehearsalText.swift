import AnswerDocuments
import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// A rehearsal for the user.
struct RehearsalText {
    private let report: RehearsalReport
    private let backupCount: Int
    private let others: [String]
    private let hasNamesake: Bool

    /// - Parameters:
    ///   - others: see `ReadKit.others`.
    ///   - hasNamesake: whether there is a stored wallet with the kit's name, with which it was not compared.
    init(_ report: RehearsalReport, backupCount: Int, others: [String] = [], hasNamesake: Bool = false) {
        (self.report, self.backupCount) = (report, backupCount)
        (self.others, self.hasNamesake) = (others, hasNamesake)
    }

    /// The wallet's name: the stored one, if there is one.
    private var name: String { TerminalText.neutralized(report.storedName ?? report.wallet.name) }

    /// What became of each spending path.
    var lines: [String] {
        let source = report.written.map { "with the kit of \($0.isoDate) and" } ?? "as it is stored, with"
        return [
            "“\(name)” (\(report.wallet.network)), \(source) \(backupCount.counted("backup")), at "
                + "\(report.addressCount.counted("address", "addresses")):"
        ] + report.paths.flatMap { ["  \($0.path.number)  \($0.path.terms.words)", "     \(Self.state(of: $0))"] }
    }

    private static func state(of path: RehearsedPath) -> String {
        if let fault = path.fault { return "FAILED: \(fault.message)" }
        let absent = names(path.missing)
        if path.isProven {
            return "proven with \(names(path.keys))"
                + (path.path.terms.isLocked ? ", and refused while it is locked" : "")
                + (path.unused.isEmpty ? "" : "; not needed: \(names(path.unused))")
                + (path.missing.isEmpty ? "" : "; no backup of \(absent)")
        }
        let lacking =
            (path.missing.isEmpty ? [] : ["no backup of \(absent)"])
            + (path.missingPreimages == 0 ? [] : [preimages(path) + " missing"])
        // Where nothing is missing, these keys do not need its locks.
        return "NOT proven: "
            + (lacking.isEmpty
                ? "these keys can spend with shorter locks, by another path" : lacking.joined(separator: ", "))
    }

    /// Of a choice, not every one may be needed.
    private static func preimages(_ path: RehearsedPath) -> String {
        let hasChoice = path.path.terms.choice != nil && path.missingPreimages > 1
        return (hasChoice ? "up to " : "") + path.missingPreimages.counted("preimage")
    }

    private static func names(_ keys: [SpendingTerms.Key]) -> String { keys.map(\.name).joined(separator: ", ") }

    /// What else to know.
    var remarks: [String] {
        var remarks = ["The signatures, for coins that do not exist, were thrown away."]
        if report.paths.contains(where: { !$0.isProven }) {
            remarks.append(
                "Run it again: name every backup with --backup."
                    + (report.isRemembered ? " What was proven before is remembered." : ""))
        }
        return remarks + [comparison, borrowing, stowaways].compactMap(\.self)
    }

    /// That heirs will have other copies of the backups.
    private var borrowing: String? {
        guard report.hasStoredBackups else { return nil }
        return "The backups were the store's own copies: rehearse with the files that heirs will have."
    }

    /// What lies beside the kit, and may be taken for a part of it.
    private var stowaways: String? {
        guard !others.isEmpty else { return nil }
        let shown = others.prefix(Self.mostOthers).map(TerminalText.neutralized).joined(separator: ", ")
        let rest = others.count - Self.mostOthers
        return "WARNING: The folder holds more than the kit, and heirs may believe what it says: \(shown)"
            + (rest > 0 ? " and \(rest) more." : ".")
    }

    private static let mostOthers = 5

    /// What the rehearsal does not show about the kit; `nil`: it is the newest that the store wrote.
    private var comparison: String? {
        guard report.written != nil else {
            let word = TerminalText.neutralized(ShellWord.quoted(report.storedName ?? report.wallet.name))
            return "No kit was read, so nothing is remembered: this shows that you can spend with these backups, not "
                + "that heirs have everything they need. Next: tapkit wallet kit \(word) -o FOLDER, then tapkit wallet "
                + "rehearse \(word) --kit FOLDER --backup FILE"
        }
        if let newer = report.newerKit {
            return "WARNING: This is not the newest kit: that was written at \(newer.iso8601). Nothing is remembered. "
                + "Replace this copy."
        }
        guard !report.isStored else { return nil }
        let word = TerminalText.neutralized(ShellWord.quoted(report.wallet.name))
        return "Nothing was compared: this shows that the kit's wallet can be spent from, not that it is yours."
            + (hasNamesake
                ? " The local store has a wallet “\(name)”: tapkit wallet rehearse \(word) compares the kit with it."
                : "")
    }

    /// Why nobody should rely on the kit and the backups; `nil`: at least one path is proven, and none failed.
    var failure: Failure? {
        let faults = report.paths.compactMap(\.fault)
        if let fault = faults.first(where: { $0 is RehearsalError }) ?? faults.first {
            return with(Failure(unexpected: fault))
        }
        guard report.proven.isEmpty else { return nil }
        return with(
            Failure(
                .notComplete, "Nothing was proven: no spending path had everything it needs.",
                hint: "Name every backup with --backup, and every preimage with --preimage."))
    }

    private func with(_ failure: Failure) -> Failure {
        var failure = comparison.map { failure.hinting($0) } ?? failure
        failure.rehearsed = report.paths.map(RehearsedPathDocument.init)
        return failure
    }
}
