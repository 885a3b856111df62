/// The open `OP_IF`s of a running script. Takes constant time and memory at any depth, because only the outermost false
/// one matters.
struct ConditionStack {
    private var depth = 0
    /// The depth of the outermost branch that is not run.
    private var firstFalse: Int?

    var isEmpty: Bool { depth == 0 }

    /// Whether operations are executed here.
    var allTrue: Bool { firstFalse == nil }

    mutating func open(_ flag: Bool) {
        if firstFalse == nil, !flag { firstFalse = depth }
        depth += 1
    }

    /// `OP_ELSE`: the other branch of the innermost condition.
    mutating func toggle() throws(ScriptFailure) {
        guard depth > 0 else { throw .unbalancedConditional }
        if firstFalse == nil {
            firstFalse = depth - 1
        } else if firstFalse == depth - 1 {
            firstFalse = nil
        }
    }

    mutating func close() throws(ScriptFailure) {
        guard depth > 0 else { throw .unbalancedConditional }
        depth -= 1
        if firstFalse == depth { firstFalse = nil }
    }
}
