import ByteCodec

/// One operation of a script, with the bytes that it pushes.
public struct ScriptElement: Hashable, Sendable {
    /// The operation.
    public let opcode: Opcode
    /// The bytes in the script that are pushed; `nil` for operations above `OP_PUSHDATA4`, and empty for `OP_0`.
    public let data: ArraySlice<UInt8>?

    /// Whether the bytes are pushed in the shortest way. True for operations without bytes.
    ///
    /// Spec: BIP-62 rule 3.
    public var isMinimal: Bool {
        guard let data else { return true }
        var shortest: [UInt8] = []
        shortest.appendPush(of: data)
        return shortest.first == opcode.rawValue
    }
}

/// The operations of a script, in order. Ends early, and sets `isTruncated`, when a push asks for more bytes than are
/// left.
public struct ScriptElementIterator: IteratorProtocol, Sendable {
    private var reader: ByteReader

    /// Whether the script ended in the middle of a push.
    private(set) var isTruncated = false

    /// Starts at the first byte of `script`.
    public init(_ script: Script) { reader = ByteReader(script.bytes) }

    /// How many bytes of the script have been read.
    public var offset: Int { reader.offset }

    /// The next operation; `nil` at the end and at a truncated push.
    public mutating func next() -> ScriptElement? {
        guard !isTruncated, !reader.isAtEnd else { return nil }
        do throws(ByteReader.ReadingError) {
            let opcode = Opcode(rawValue: try reader.byte())
            return ScriptElement(opcode: opcode, data: try data(of: opcode))
        } catch {
            isTruncated = true
            return nil
        }
    }

    private mutating func data(of opcode: Opcode) throws(ByteReader.ReadingError) -> ArraySlice<UInt8>? {
        switch opcode {
        case .pushData1: try reader.slice(UInt64(try reader.byte()))
        case .pushData2: try reader.slice(UInt64(try reader.littleEndian(UInt16.self)))
        case .pushData4: try reader.slice(UInt64(try reader.littleEndian(UInt32.self)))
        case _ where opcode.rawValue < Opcode.pushData1.rawValue: try reader.slice(UInt64(opcode.rawValue))
        default: nil
        }
    }
}

extension Script {
    /// The script's operations; `nil` when it ends in the middle of a push.
    public var elements: [ScriptElement]? {
        var iterator = ScriptElementIterator(self)
        var elements: [ScriptElement] = []
        while let element = iterator.next() { elements.append(element) }
        return iterator.isTruncated ? nil : elements
    }

    /// Whether the script only pushes. A truncated script does not count.
    public var isPushOnly: Bool {
        var iterator = ScriptElementIterator(self)
        while let element = iterator.next() {
            guard element.opcode.isPush else { return false }
        }
        return !iterator.isTruncated
    }
}
