import Foundation
import Testing

@testable import TestSupport

/// The books of the published vectors: whatever differs between a file, its cases as they came out and the list of those
/// that are not followed is reported.
@Suite struct VectorLedgerTests {
    @Test func casesThatAreFollowedOrListedAreFine() throws {
        var ledger = try ledger()
        ledger.enter("one", 1, expected: 1)
        ledger.enter("two", fault: "as listed")
        ledger.enter("three") { throw CocoaError(.featureUnsupported) }
        #expect(ledger.isListed("two") && !ledger.isListed("one"))
        ledger.close(count: 3)
    }

    @Test func aListedCaseThatIsFollowedIsReported() throws {
        try expectReport("two is followed, but listed: for a reason") { ledger in
            ledger.enter("one", fault: nil)
            ledger.enter("two", fault: nil)
            ledger.enter("three", fault: "as listed")
        }
    }

    @Test func anUnlistedCaseThatIsNotFollowedIsReported() throws {
        try expectReport("one: 2 instead of 1") { ledger in
            ledger.enter("one", 2, expected: 1)
            ledger.enter("two", fault: "as listed")
            ledger.enter("three", fault: "as listed")
        }
    }

    @Test func aNameThatIsNoCaseIsReported() throws {
        try expectReport("there is no case three, which is listed") { ledger in
            ledger.enter("one", fault: nil)
            ledger.enter("two", fault: "as listed")
            ledger.enter("four", fault: nil)
        }
    }

    @Test(arguments: [2, 4]) func anotherCountIsReported(count: Int) throws {
        try expectReport("cases are lost or new", count: count) { ledger in
            ledger.enter("one", fault: nil)
            ledger.enter("two", fault: "as listed")
            ledger.enter("three", fault: "as listed")
        }
    }

    @Test func aCaseThatRunsInPlaceOfAnotherIsReported() throws {
        try expectReport("a case ran twice", count: 4) { ledger in
            for name in ["one", "one"] { ledger.enter(name, fault: nil) }
            for name in ["two", "three"] { ledger.enter(name, fault: "as listed") }
        }
    }

    @Test(arguments: [("for a reason", ["one", "one"], "one is listed twice"), ("", ["one"], "without a reason")])
    func aListThatIsInDoubtIsReported(reason: String, cases: [String], words: String) {
        withKnownIssue {
            _ = try? VectorLedger(.coreSighashes, list: [.init(file: .coreSighashes, reason: reason, cases: cases)])
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasSuffix(words) }
        }
    }

    @Test(arguments: [("bitcoin-core/sighash.json", true), ("bitcoin-core/sighashes.json", false)])
    func aListThatNamesAnotherFileCannotBeRead(file: String, isRead: Bool) {
        let text = #"[{"file": "\#(file)", "reason": "for a reason", "cases": ["1"]}]"#
        let list = try? JSONDecoder().decode([VectorLedger.NotFollowed].self, from: Data(text.utf8))
        #expect((list != nil) == isRead)
    }

    /// A file that nobody opens would be reported by nobody.
    @Test func everyFileIsOpenedByATest() throws {
        let folder = Vectors.root.appendingPathComponent("Tests")
        let tests = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix("Tests.swift") && !$0.hasSuffix("VectorLedgerTests.swift") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
            .filter { $0.contains("ledger.close(count: ") }
        for file in LedgeredFile.allCases {
            let name = try Regex(#"\.\#(file)\b"#)
            #expect(tests.contains { $0.contains(name) }, "no test opens \(file.path)")
        }
    }

    /// Of three cases two are listed.
    private func ledger() throws -> VectorLedger {
        try VectorLedger(
            .coreSighashes,
            list: [
                .init(file: .coreSighashes, reason: "for a reason", cases: ["two", "three"]),
                .init(file: .coreScripts, reason: "another file's", cases: ["one"]),
            ])
    }

    /// Expects one report, and no other, that ends in these words.
    private func expectReport(
        _ words: String, count: Int = 3, _ enter: (inout VectorLedger) throws -> Void
    ) throws {
        var ledger = try ledger()
        try enter(&ledger)
        withKnownIssue { [ledger] in
            ledger.close(count: count)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasSuffix(words) }
        }
    }
}
