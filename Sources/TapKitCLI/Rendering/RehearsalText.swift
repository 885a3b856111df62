import AnswerDocuments
import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// A rehearsal for the user.
struct RehearsalText {
    private let report: RehearsalReport
    private let backupCount: Int

    init(_ report: RehearsalReport, backupCount: Int) { (self.report, self.backupCount) = (report, backupCount) }

    /// What became of each spending path.
    var lines: [String] {
        let with = backupCount.counted("backup")
        return [
            "“\(TerminalText.neutralized(report.wallet.name))” (\(report.wallet.network)), with the kit of "
                + "\(report.written.isoDate) and \(with), at \(report.addressCount.counted("address", "addresses")):"
        ] + report.paths.flatMap { ["  \($0.path.number)  \($0.path.terms.words)", "     \(Self.state(of: $0))"] }
    }

    private static func state(of path: RehearsedPath) -> String {
        if let fault = path.fault { return "FAILED: \(fault.message)" }
        let absent = names(path.missing)
        if path.isProven {
            let isLocked = !path.path.terms.older.isEmpty || !path.path.terms.after.isEmpty
            return "proven with \(names(path.keys))" + (isLocked ? ", and not a block too early" : "")
                + (path.missing.isEmpty ? "" : "; no backup of \(absent)")
        }
        let lacking =
            (path.missing.isEmpty ? [] : ["no backup of \(absent)"])
            + (path.missingPreimages == 0 ? [] : [path.missingPreimages.counted("preimage") + " missing"])
        return "NOT proven: " + lacking.joined(separator: ", ")
    }

    private static func names(_ keys: [SpendingTerms.Key]) -> String { keys.map(\.name).joined(separator: ", ") }

    /// What else to know.
    var remarks: [String] {
        var remarks = ["The signatures were for coins that exist nowhere, and are gone."]
        if report.paths.contains(where: { !$0.isProven }) {
            remarks.append("With further backups, run it again: what was proven before is remembered.")
        }
        if report.isKnownKit == false {
            remarks.append(
                "WARNING: The local store did not write this kit, or not like this. Its descriptors are the wallet's, "
                    + "but nobody knows who wrote read-me.txt and page.svg: write a new kit.")
        }
        return remarks
    }

    /// Why nobody should rely on the kit and the backups; `nil`: at least one path is proven, and none failed.
    var failure: Failure? {
        if let fault = report.paths.lazy.compactMap(\.fault).first { return with(Failure(fault)) }
        guard report.proven.isEmpty else { return nil }
        return with(
            Failure(
                .notComplete, "Nothing was proven: for no spending path there was enough.",
                hint: "Give the backups of the other cards, too, with --backup."))
    }

    private func with(_ failure: Failure) -> Failure {
        var failure = failure
        failure.rehearsed = report.paths.map(RehearsedPathDocument.init)
        return failure
    }
}
