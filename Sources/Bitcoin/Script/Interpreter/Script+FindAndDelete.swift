import ByteCodec

extension Script {
    /// The script without the pushes of `item`, where they begin an operation; `nil` when there is
    /// none.
    ///
    /// The push searched for starts with its length, even if a shorter operation pushes the same.
    ///
    /// Spec: Bitcoin Core, `FindAndDelete`.
    func removing(pushOf item: [UInt8]) -> Script? {
        let push = Self.lengthPrefixed(item)
        guard bytes.count >= push.count else { return nil }
        var kept: [UInt8] = []
        var isFound = false
        var start = 0
        var keptFrom = 0
        while start < bytes.count {
            while bytes.count - start >= push.count, bytes[start..<start + push.count].elementsEqual(push) {
                kept += bytes[keptFrom..<start]
                start += push.count
                keptFrom = start
                isFound = true
            }
            guard let length = operationLength(at: start) else { break }
            start += length
        }
        return isFound ? Script(kept + bytes[keptFrom...]) : nil
    }

    /// How many bytes the operation at an offset takes; `nil` at the end and for a truncated push.
    private func operationLength(at start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        var reader = ByteReader(bytes[start...])
        do throws(ByteReader.ReadingError) {
            switch Opcode(rawValue: try reader.byte()) {
            case .pushData1: _ = try reader.slice(UInt64(try reader.byte()))
            case .pushData2: _ = try reader.slice(UInt64(try reader.littleEndian(UInt16.self)))
            case .pushData4: _ = try reader.slice(UInt64(try reader.littleEndian(UInt32.self)))
            case let opcode where opcode.rawValue < Opcode.pushData1.rawValue:
                _ = try reader.slice(UInt64(opcode.rawValue))
            default: break
            }
        } catch { return nil }
        return reader.offset
    }

    private static func lengthPrefixed(_ item: [UInt8]) -> [UInt8] {
        var push: [UInt8] = []
        switch item.count {
        case ..<Int(Opcode.pushData1.rawValue): push.append(UInt8(item.count))
        case ...0xFF:
            push.append(Opcode.pushData1)
            push.append(UInt8(item.count))
        default:
            push.append(Opcode.pushData2)
            push.appendLittleEndian(UInt16(truncatingIfNeeded: item.count))
        }
        return push + item
    }
}
