import Bitcoin

extension ChainCode {
    /// A chain code of one byte only.
    public init(repeating byte: UInt8) {
        guard let code = ChainCode([UInt8](repeating: byte, count: ChainCode.length)) else {
            preconditionFailure("A chain code has another length.")
        }
        self = code
    }
}

extension SeededGenerator {
    /// A chain code.
    public mutating func chainCode() throws -> ChainCode {
        let bytes = bytes(ChainCode.length...ChainCode.length)
        guard let code = ChainCode(bytes) else { throw KeyError.length(bytes.count) }
        return code
    }
}
