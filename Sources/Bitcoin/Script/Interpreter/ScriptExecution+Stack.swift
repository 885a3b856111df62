/// Operations that move items.
enum StackOperation: UInt8 {
    case toAlternate = 0x6B
    case fromAlternate = 0x6C
    case drop2 = 0x6D
    case duplicate2 = 0x6E
    case duplicate3 = 0x6F
    case over2 = 0x70
    case rotate2 = 0x71
    case swap2 = 0x72
    case ifDuplicate = 0x73
    case depth = 0x74
    case drop = 0x75
    case duplicate = 0x76
    case nip = 0x77
    case over = 0x78
    case pick = 0x79
    case roll = 0x7A
    case rotate = 0x7B
    case swap = 0x7C
    case tuck = 0x7D
    case size = 0x82
}

extension ScriptExecution {
    mutating func run(_ operation: StackOperation) throws(ScriptFailure) {
        switch operation {
        case .toAlternate: alternateStack.push(try stack.pop())
        case .fromAlternate:
            guard alternateStack.count > 0 else { throw .alternateStackEmpty }
            stack.push(try alternateStack.pop())
        case .drop2:
            try stack.require(2)
            try stack.pop()
            try stack.pop()
        case .duplicate2: for _ in 0..<2 { try stack.copy(1) }
        case .duplicate3: for _ in 0..<3 { try stack.copy(2) }
        case .over2: for _ in 0..<2 { try stack.copy(3) }
        case .rotate2: for _ in 0..<2 { try stack.roll(5) }
        case .swap2: for _ in 0..<2 { try stack.roll(3) }
        case .ifDuplicate: if ScriptNumber.isTrue(try stack.item()) { try stack.copy(0) }
        case .depth: stack.push(Int64(stack.count))
        case .drop: try stack.pop()
        case .duplicate: try stack.copy(0)
        case .nip: _ = try stack.remove(1)
        case .over: try stack.copy(1)
        case .pick: try stack.copy(try popDepth())
        case .roll: try stack.roll(try popDepth())
        case .rotate: try stack.roll(2)
        case .swap: try stack.roll(1)
        case .tuck:
            try stack.require(2)
            try stack.insert(try stack.item(), 2)
        case .size: stack.push(Int64(try stack.item().count))
        }
    }

    private mutating func popDepth() throws(ScriptFailure) -> Int {
        try stack.require(2)
        return Int(try popNumber())
    }
}
