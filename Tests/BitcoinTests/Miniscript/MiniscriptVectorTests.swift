import TestSupport
import Testing

@testable import Bitcoin

/// Bitcoin Core's own cases: what is miniscript, what is known of it, and its script.
@Suite struct MiniscriptVectorTests {
    private static let file = LedgeredFile.coreMiniscript

    @Test func typesScriptsAndResourcesAreCores() throws {
        var ledger = try VectorLedger(Self.file)
        for row in try Vectors.load(Self.file.path) {
            let expression = try? Miniscript(row.text("miniscript"))
            let isValid = try row.flag("valid")
            // Core's word is on an expression of any type that could be a whole script.
            let isWhole = expression.map {
                $0.type.contains(.base) && $0.resources.scriptLength <= MiniscriptLimits.scriptLength
            }
            ledger.enter("\(row.index) valid", isWhole ?? false, expected: isValid)
            guard isValid, let expression else { continue }
            let type = expression.type
            ledger.enter(
                "\(row.index) nonmalleable", type.contains(.nonmalleable), expected: try row.flag("nonmalleable"))
            ledger.enter("\(row.index) signature", type.contains(.safe), expected: try row.flag("needs_signature"))
            ledger.enter("\(row.index) mixes", !type.contains(.unmixed), expected: try row.flag("mixes_locks"))
            let script = expression.script { .key($0) }
            #expect(script.bytes.count == expression.resources.scriptLength)
            if let hexadecimal: String = row["script"] {
                ledger.enter("\(row.index) script", script.description, expected: hexadecimal)
            }
            if let count: Int = row["operations"] {
                let cost = expression.resources.satisfaction
                ledger.enter(
                    "\(row.index) operations", cost.map { $0.operations + expression.resources.operations },
                    expected: count)
                ledger.enter("\(row.index) items", cost?.items, expected: try row.number("stack_items"))
            }
            if let count: Int = row["witness_bytes"] {
                ledger.enter("\(row.index) bytes", expression.largestSatisfaction, expected: count)
            }
        }
        ledger.close(count: 414)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        for row in try Vectors.load(Self.file.path) where try row.flag("valid") {
            let expression = try Miniscript(row.text("miniscript"))
            let script = expression.script { .key($0) }
            #expect(try Miniscript(expression.written).script { .key($0) } == script)
            let read = try #require(Miniscript<ScriptKey>(script), "\(expression.written)")
            #expect(read.script { $0 } == script)
            #expect(read.type == expression.type, "\(expression.written)")
        }
    }
}
