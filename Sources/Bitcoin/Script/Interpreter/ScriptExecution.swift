/// One script being run on a stack.
///
/// Spec: Bitcoin Core, `EvalScript`; BIP-342 for tapscript.
struct ScriptExecution {
    /// The most operations above `OP_16`, including multisig keys, outside tapscript.
    static let maximumOperationCount = 201

    let script: Script
    let version: SignatureVersion
    let rules: ScriptRules
    let checker: SpendChecker
    /// What tapscript adds; `nil` for the other versions.
    var tapscript: TapscriptContext?

    var stack: ScriptStack
    var alternateStack = ScriptStack()
    var conditions = ConditionStack()
    var operationCount = 0
    /// Where the part that signatures cover starts: after the last executed `OP_CODESEPARATOR`.
    var codeStart = 0
    /// The part of the script after `codeStart`, computed when first needed.
    var coveredCode: Script?

    init(
        _ script: Script, stack: ScriptStack, version: SignatureVersion, rules: ScriptRules, checker: SpendChecker,
        tapscript: TapscriptContext? = nil
    ) {
        self.script = script
        self.stack = stack
        self.version = version
        self.rules = rules
        self.checker = checker
        self.tapscript = tapscript
    }

    /// Runs the script to its end; the result is on the stack.
    mutating func run() throws(ScriptFailure) {
        guard version == .tapscript || script.bytes.count <= Script.maximumLength else { throw .scriptTooLong }
        var iterator = ScriptElementIterator(script)
        var position: UInt32 = 0
        while let element = iterator.next() {
            try step(element, position: position, end: iterator.offset)
            guard stack.count + alternateStack.count <= ScriptStack.maximumCount else { throw .tooManyItems }
            position &+= 1
        }
        guard !iterator.isTruncated else { throw .badOpcode }
        guard conditions.isEmpty else { throw .unbalancedConditional }
    }

    /// Runs one operation.
    /// - Parameters:
    ///   - position: the operation's position, from 0.
    ///   - end: where the next operation starts.
    private mutating func step(_ element: ScriptElement, position: UInt32, end: Int) throws(ScriptFailure) {
        let opcode = element.opcode
        try count(opcode)
        if let data = element.data {
            guard data.count <= ScriptStack.maximumItemLength else { throw .itemTooLong }
            guard conditions.allTrue else { return }
            guard !rules.contains(.minimalData) || element.isMinimal else { throw .notMinimal }
            stack.push(Array(data))
            return
        }
        guard !Self.isDisabled(opcode) else { throw .disabledOpcode }
        if opcode == .codeSeparator, version == .base, rules.contains(.constantScriptCode) { throw .codeSeparator }
        if let condition = ConditionOperation(rawValue: opcode.rawValue) { return try run(condition) }
        guard conditions.allTrue else { return }

        let byte = opcode.rawValue
        if let number = opcode.number {
            stack.push(Int64(number))
        } else if opcode == .negativeOne {
            stack.push(-1)
        } else if let operation = StackOperation(rawValue: byte) {
            try run(operation)
        } else if let operation = NumberOperation(rawValue: byte) {
            try run(operation)
        } else if let operation = HashOperation(rawValue: byte) {
            try run(operation)
        } else if let operation = SignatureOperation(rawValue: byte) {
            try run(operation, position: position, end: end)
        } else if let operation = ControlOperation(rawValue: byte) {
            try run(operation)
        } else if Self.isSpareNop(opcode) {
            guard !rules.contains(.noUpgradable) else { throw .upgradableNop }
        } else {
            throw .badOpcode
        }
    }

    private mutating func count(_ opcode: Opcode) throws(ScriptFailure) {
        guard !opcode.isPush else { return }
        try countOperations(1)
    }

    /// Counts operations, or multisig keys, when they are limited.
    mutating func countOperations(_ count: Int) throws(ScriptFailure) {
        guard version != .tapscript else { return }
        operationCount += count
        guard operationCount <= Self.maximumOperationCount else { throw .tooManyOperations }
    }

    /// Pops a number.
    mutating func popNumber() throws(ScriptFailure) -> Int64 { try number(try stack.pop()) }

    /// The number that an item encodes.
    func number(
        _ item: [UInt8], maximumLength: Int = ScriptNumber.maximumLength
    ) throws(ScriptFailure) -> Int64 {
        try ScriptNumber.decode(item, isMinimal: rules.contains(.minimalData), maximumLength: maximumLength)
    }

    /// Pops a truth value and fails when it is false.
    mutating func verifyTop(_ opcode: UInt8) throws(ScriptFailure) {
        guard ScriptNumber.isTrue(try stack.pop()) else { throw .verifyFailed(Opcode(rawValue: opcode)) }
    }

    /// `OP_CAT` to `OP_RIGHT`, `OP_INVERT` to `OP_XOR`, `OP_2MUL`, `OP_2DIV`, `OP_MUL` to `OP_RSHIFT`.
    private static func isDisabled(_ opcode: Opcode) -> Bool {
        switch opcode.rawValue {
        case 0x7E...0x81, 0x83...0x86, 0x8D, 0x8E, 0x95...0x99: true
        default: false
        }
    }

    /// `OP_NOP1` and `OP_NOP4` to `OP_NOP10`.
    private static func isSpareNop(_ opcode: Opcode) -> Bool {
        opcode.rawValue == 0xB0 || (0xB3...0xB9).contains(opcode.rawValue)
    }
}
