/// Operations that also count in branches that are not executed.
enum ConditionOperation: UInt8 {
    case `if` = 0x63
    case notIf = 0x64
    /// Reserved; a script that contains them anywhere fails.
    case verIf = 0x65
    case verNotIf = 0x66
    case `else` = 0x67
    case endIf = 0x68
}

/// Operations that end a script or do nothing, and the lock times.
enum ControlOperation: UInt8 {
    case nop = 0x61
    case verify = 0x69
    case `return` = 0x6A
    case checkLockTimeVerify = 0xB1
    case checkSequenceVerify = 0xB2
}

extension ScriptExecution {
    mutating func run(_ operation: ConditionOperation) throws(ScriptFailure) {
        switch operation {
        case .if: try open(isInverted: false)
        case .notIf: try open(isInverted: true)
        case .else: try conditions.toggle()
        case .endIf: try conditions.close()
        case .verIf, .verNotIf: throw .badOpcode
        }
    }

    private mutating func open(isInverted: Bool) throws(ScriptFailure) {
        guard conditions.allTrue else { return conditions.open(false) }
        let item = try stack.pop()
        if version == .tapscript || rules.contains(.minimalIf) {
            guard item.isEmpty || item == [1] else { throw .conditionNotMinimal }
        }
        conditions.open(ScriptNumber.isTrue(item) != isInverted)
    }

    mutating func run(_ operation: ControlOperation) throws(ScriptFailure) {
        switch operation {
        case .nop: break
        case .verify: try verifyTop(operation.rawValue)
        case .return: throw .returned
        case .checkLockTimeVerify: try checkLockTime()
        case .checkSequenceVerify: try checkSequence()
        }
    }

    /// Spec: BIP-65.
    private func checkLockTime() throws(ScriptFailure) {
        let demanded = try number(try stack.item(), maximumLength: ScriptNumber.maximumLockTimeLength)
        guard demanded >= 0 else { throw .negativeLockTime }
        guard checker.isLockTimeReached(demanded) else { throw .lockTimeNotReached }
    }

    /// Spec: BIP-112.
    private func checkSequence() throws(ScriptFailure) {
        let demanded = try number(try stack.item(), maximumLength: ScriptNumber.maximumLockTimeLength)
        guard demanded >= 0 else { throw .negativeLockTime }
        guard demanded & Int64(TimeLock.disableFlag) == 0 else { return }
        guard checker.isSequenceReached(demanded) else { throw .lockTimeNotReached }
    }
}
