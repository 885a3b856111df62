/// Arithmetic and comparison of numbers of at most four bytes.
enum NumberOperation: UInt8 {
    case add1 = 0x8B
    case subtract1 = 0x8C
    case negate = 0x8F
    case absolute = 0x90
    case not = 0x91
    case notEqual0 = 0x92
    case add = 0x93
    case subtract = 0x94
    case booleanAnd = 0x9A
    case booleanOr = 0x9B
    case numberEqual = 0x9C
    case numberEqualVerify = 0x9D
    case numberNotEqual = 0x9E
    case lessThan = 0x9F
    case greaterThan = 0xA0
    case lessThanOrEqual = 0xA1
    case greaterThanOrEqual = 0xA2
    case minimum = 0xA3
    case maximum = 0xA4
    case within = 0xA5
}

extension ScriptExecution {
    mutating func run(_ operation: NumberOperation) throws(ScriptFailure) {
        // Four bytes hold at most 2³¹ − 1 and results have five, so nothing overflows.
        switch operation {
        case .add1: stack.push(try popNumber() + 1)
        case .subtract1: stack.push(try popNumber() - 1)
        case .negate: stack.push(-(try popNumber()))
        case .absolute: stack.push(abs(try popNumber()))
        case .not: stack.push(try popNumber() == 0)
        case .notEqual0: stack.push(try popNumber() != 0)
        case .within:
            try stack.require(3)
            let (maximum, minimum, value) = (try popNumber(), try popNumber(), try popNumber())
            stack.push(minimum <= value && value < maximum)
        default:
            try stack.require(2)
            let right = try popNumber()
            try run(operation, try popNumber(), right)
        }
    }

    private mutating func run(
        _ operation: NumberOperation, _ left: Int64, _ right: Int64
    ) throws(ScriptFailure) {
        switch operation {
        case .add: stack.push(left + right)
        case .subtract: stack.push(left - right)
        case .booleanAnd: stack.push(left != 0 && right != 0)
        case .booleanOr: stack.push(left != 0 || right != 0)
        case .numberEqual: stack.push(left == right)
        case .numberEqualVerify: guard left == right else { throw .verifyFailed(Opcode(rawValue: operation.rawValue)) }
        case .numberNotEqual: stack.push(left != right)
        case .lessThan: stack.push(left < right)
        case .greaterThan: stack.push(left > right)
        case .lessThanOrEqual: stack.push(left <= right)
        case .greaterThanOrEqual: stack.push(left >= right)
        case .minimum: stack.push(min(left, right))
        case .maximum: stack.push(max(left, right))
        case .add1, .subtract1, .negate, .absolute, .not, .notEqual0, .within: throw .badOpcode
        }
    }
}
