import TestSupport
import Testing

@testable import Bitcoin

/// Bitcoin Core's own cases: what is miniscript, what is known of it, and its script.
@Suite struct MiniscriptVectorTests {
    private static let file = LedgeredFile.coreMiniscript

    @Test func typesScriptsAndResourcesAreCores() throws {
        var ledger = try VectorLedger(Self.file)
        for row in try Vectors.load(Self.file.path) {
            try enter(row, in: .p2wsh, to: &ledger)
            try enter(row, in: .tapscript, to: &ledger)
        }
        ledger.close(count: 841)
    }

    private func enter(_ row: VectorRow, in context: MiniscriptContext, to ledger: inout VectorLedger) throws {
        let name = "\(row.index)\(Self.mark(context))"
        let expression = try? Miniscript(row.text("miniscript"), in: context)
        let isValid = try Self.isValid(row, in: context)
        // Core's word is on an expression of any type that could be a whole script.
        let isWhole = expression.map {
            $0.type.contains(.base) && $0.resources.scriptLength <= context.maximumScriptLength
        }
        ledger.enter("\(name) valid", isWhole ?? false, expected: isValid)
        guard isValid, let expression else { return }
        let type = expression.type
        ledger.enter("\(name) nonmalleable", type.contains(.nonmalleable), expected: try row.flag("nonmalleable"))
        ledger.enter("\(name) signature", type.contains(.safe), expected: try row.flag("needs_signature"))
        ledger.enter("\(name) mixes", !type.contains(.unmixed), expected: try row.flag("mixes_locks"))
        let script = expression.script { .key($0) }
        #expect(script.bytes.count == expression.resources.scriptLength)
        let prefix = context == .tapscript ? "tapscript_" : ""
        if let hexadecimal: String = row["\(prefix)script"] {
            ledger.enter("\(name) script", script.description, expected: hexadecimal)
        }
        if let count: Int = row["operations"] {
            let cost = expression.resources.satisfaction
            ledger.enter(
                "\(name) operations", cost.map { $0.operations + expression.resources.operations }, expected: count)
            ledger.enter("\(name) items", cost?.items, expected: try row.number("stack_items"))
            ledger.enter("\(name) stack", expression.largestStack, expected: try row.number("stack_exec"))
        }
        if let count: Int = row["\(prefix)witness_bytes"] {
            ledger.enter("\(name) bytes", expression.largestSatisfaction, expected: count)
        }
    }

    private static func mark(_ context: MiniscriptContext) -> String { context == .tapscript ? " tapscript" : "" }

    private static func isValid(_ row: VectorRow, in context: MiniscriptContext) throws -> Bool {
        if context == .tapscript, let isValid: Bool = row["tapscript_valid"] { return isValid }
        return try row.flag("valid")
    }

    @Test(arguments: [MiniscriptContext.p2wsh, .tapscript]) func whatIsWrittenIsReadAgain(
        _ context: MiniscriptContext
    ) throws {
        for row in try Vectors.load(Self.file.path) where try Self.isValid(row, in: context) {
            let expression = try Miniscript(row.text("miniscript"), in: context)
            let script = expression.script { .key($0) }
            #expect(try Miniscript(expression.written, in: context).script { .key($0) } == script)
            let read = try #require(Miniscript<ScriptKey>(script, in: context), "\(expression.written)")
            #expect(read.script { $0 } == script)
            #expect(read.type == expression.type, "\(expression.written)")
        }
    }
}
