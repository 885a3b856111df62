import ByteCodec

extension [UInt8] {
    /// Appends an operation.
    public mutating func append(_ opcode: Opcode) { append(opcode.rawValue) }

    /// Appends the shortest operation that pushes `data`: the number opcodes for 1…16 and −1, otherwise the shortest length.
    ///
    /// Spec: BIP-62 rule 3.
    public mutating func appendPush(of data: some Collection<UInt8>) {
        if data.count == 1, let byte = data.first {
            if (1...16).contains(byte), let opcode = Opcode.number(Int(byte)) { return append(opcode) }
            if byte == 0x81 { return append(Opcode.negativeOne) }
        }
        switch data.count {
        case ..<Int(Opcode.pushData1.rawValue): append(UInt8(data.count))
        case ...0xFF:
            append(Opcode.pushData1)
            append(UInt8(data.count))
        case ...0xFFFF:
            append(Opcode.pushData2)
            appendLittleEndian(UInt16(data.count))
        default:
            append(Opcode.pushData4)
            appendLittleEndian(UInt32(truncatingIfNeeded: data.count))
        }
        append(contentsOf: data)
    }
}

extension Script {
    /// A script that pushes each of `items` in the shortest way: as a `scriptSig` does.
    public init(pushing items: [[UInt8]]) {
        var bytes: [UInt8] = []
        for item in items { bytes.appendPush(of: item) }
        self.init(bytes)
    }
}
