import ByteCodec

extension Miniscript {
    /// The witness script, or the leaf's.
    /// - Parameter encoding: the key, as a script has it.
    ///
    /// Spec: BIP-379, "Translation table".
    func script<Failure: Error>(_ encoding: (Key) throws(Failure) -> ScriptKey) throws(Failure) -> Script {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(resources.scriptLength)
        try write(to: &bytes, encoding)
        return Script(bytes)
    }

    private func write<Failure: Error>(
        to bytes: inout [UInt8], _ encoding: (Key) throws(Failure) -> ScriptKey
    ) throws(Failure) {
        switch fragment {
        case .zero: bytes.append(Opcode.zero)
        case .one: bytes.append(Opcode.one)
        case .pkK(let key): bytes.appendPush(of: try encoding(key).bytes)
        case .pkH(let key):
            bytes.append(Opcode.duplicate)
            bytes.append(Opcode.hash160)
            bytes.appendPush(of: try encoding(key).hash)
            bytes.append(Opcode.equalVerify)
        case .older(let number):
            bytes.appendPush(of: ScriptNumber.encode(Int64(number)))
            bytes.append(Opcode.checkSequenceVerify)
        case .after(let number):
            bytes.appendPush(of: ScriptNumber.encode(Int64(number)))
            bytes.append(Opcode.checkLockTimeVerify)
        case .hash(let function, let hash):
            bytes.append(Opcode.size)
            bytes.appendPush(of: [UInt8(PreimageHash.preimageLength)])
            bytes.append(Opcode.equalVerify)
            bytes.append(function.opcode)
            bytes.appendPush(of: hash)
            bytes.append(Opcode.equal)
        case .multi(let threshold, let keys):
            bytes.appendPush(of: [UInt8(threshold)])
            for key in keys { bytes.appendPush(of: try encoding(key).bytes) }
            bytes.appendPush(of: [UInt8(keys.count)])
            bytes.append(Opcode.checkMultisig)
        case .multiA(let threshold, let keys):
            for (number, key) in keys.enumerated() {
                bytes.appendPush(of: try encoding(key).bytes)
                bytes.append(number == 0 ? Opcode.checkSignature : .checkSignatureAdd)
            }
            bytes.appendPush(of: ScriptNumber.encode(Int64(threshold)))
            bytes.append(Opcode.numericEqual)
        case .threshold(let threshold, let parts):
            for (number, part) in parts.enumerated() {
                try part.write(to: &bytes, encoding)
                if number > 0 { bytes.append(Opcode.add) }
            }
            bytes.appendPush(of: ScriptNumber.encode(Int64(threshold)))
            bytes.append(Opcode.equal)
        case .wrapped(let wrapper, let x): try x.write(in: wrapper, to: &bytes, encoding)
        case .andV(let x, let y): try Self.write([.of(x), .of(y)], to: &bytes, encoding)
        case .andB(let x, let y): try Self.write([.of(x), .of(y), .is(.booleanAnd)], to: &bytes, encoding)
        case .orB(let x, let y): try Self.write([.of(x), .of(y), .is(.booleanOr)], to: &bytes, encoding)
        case .orC(let x, let y):
            try Self.write([.of(x), .is(.notIf), .of(y), .is(.endIf)], to: &bytes, encoding)
        case .orD(let x, let y):
            try Self.write(
                [.of(x), .is(.ifDuplicate), .is(.notIf), .of(y), .is(.endIf)], to: &bytes, encoding)
        case .orI(let x, let y):
            try Self.write(
                [.is(.if), .of(x), .is(.else), .of(y), .is(.endIf)], to: &bytes, encoding)
        case .andOr(let x, let y, let z):
            try Self.write(
                [.of(x), .is(.notIf), .of(z), .is(.else), .of(y), .is(.endIf)], to: &bytes, encoding)
        }
    }

    private enum Piece {
        case of(Miniscript)
        case `is`(Opcode)
    }

    private static func write<Failure: Error>(
        _ pieces: [Piece], to bytes: inout [UInt8], _ encoding: (Key) throws(Failure) -> ScriptKey
    ) throws(Failure) {
        for piece in pieces {
            switch piece {
            case .of(let part): try part.write(to: &bytes, encoding)
            case .is(let opcode): bytes.append(opcode)
            }
        }
    }

    private func write<Failure: Error>(
        in wrapper: MiniscriptWrapper, to bytes: inout [UInt8], _ encoding: (Key) throws(Failure) -> ScriptKey
    ) throws(Failure) {
        switch wrapper {
        case .alternateStack:
            try Self.write([.is(.toAltStack), .of(self), .is(.fromAltStack)], to: &bytes, encoding)
        case .swap: try Self.write([.is(.swap), .of(self)], to: &bytes, encoding)
        case .check: try Self.write([.of(self), .is(.checkSignature)], to: &bytes, encoding)
        case .duplicateIf:
            try Self.write([.is(.duplicate), .is(.if), .of(self), .is(.endIf)], to: &bytes, encoding)
        case .nonzeroIf:
            try Self.write(
                [.is(.size), .is(.notEqualToZero), .is(.if), .of(self), .is(.endIf)], to: &bytes, encoding)
        case .zeroNotEqual: try Self.write([.of(self), .is(.notEqualToZero)], to: &bytes, encoding)
        case .verify:
            try write(to: &bytes, encoding)
            // Without `x`, the last byte is the last operation.
            if !type.contains(.expensiveVerify), let last = bytes.last,
                let verifying = Opcode(rawValue: last).withVerify
            {
                bytes[bytes.count - 1] = verifying.rawValue
            } else {
                bytes.append(Opcode.verify)
            }
        }
    }
}
