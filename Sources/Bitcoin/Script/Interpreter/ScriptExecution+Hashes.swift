/// Hashes and comparison of bytes.
enum HashOperation: UInt8 {
    case equal = 0x87
    case equalVerify = 0x88
    case ripemd160 = 0xA6
    case sha1 = 0xA7
    case sha256 = 0xA8
    case hash160 = 0xA9
    case hash256 = 0xAA
}

extension ScriptExecution {
    mutating func run(_ operation: HashOperation) throws(ScriptFailure) {
        switch operation {
        case .equal: stack.push(try popEqual())
        case .equalVerify:
            guard try popEqual() else { throw .verifyFailed(Opcode(rawValue: operation.rawValue)) }
        case .ripemd160: stack.push(RIPEMD160.hash(try stack.pop()))
        case .sha1: stack.push(SHA1.hash(try stack.pop()))
        case .sha256: stack.push(SHA256.hash(try stack.pop()))
        case .hash160: stack.push(Hash160.hash(try stack.pop()))
        case .hash256: stack.push(SHA256.doubleHash(try stack.pop()))
        }
    }

    private mutating func popEqual() throws(ScriptFailure) -> Bool {
        try stack.require(2)
        return try stack.pop() == stack.pop()
    }
}
