import ByteCodec

extension PSBT {
    /// The first five bytes of every PSBT.
    static let magic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]

    /// Reads the binary form. Every record is checked against the rules of its type; unknown records are kept.
    ///
    /// Previous transactions are hashed and compared with the outpoints. Whether scripts fit their outputs and whether
    /// signatures verify is not checked here.
    /// - Throws: `PSBTError` for anything that BIP-174 or BIP-370 calls invalid, and for anything beyond the limits of `PSBT`.
    public init(serialized bytes: [UInt8]) throws(PSBTError) {
        try self.init(serialized: bytes, fileForm: .binary)
    }

    init(serialized bytes: [UInt8], fileForm: FileForm) throws(PSBTError) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        guard bytes.starts(with: Self.magic) else { throw .wrongMagic }
        var parser = PSBTParser(bytes, offset: Self.magic.count)
        let global = try parser.globalMap()
        switch parser.version {
        case .v0: try self.init(version0: global, readingFrom: &parser, fileForm: fileForm)
        case .v2: try self.init(version2: global, readingFrom: &parser, fileForm: fileForm)
        }
        try parser.expectEnd()
    }

    /// The binary form.
    public func serialized() -> [UInt8] {
        var bytes = Self.magic
        let bound =
            global.serializedLengthBound + inputs.reduce(0) { $0 + $1.map.serializedLengthBound }
            + outputs.reduce(0) { $0 + $1.map.serializedLengthBound }
        bytes.reserveCapacity(bytes.count + bound)
        global.serialize(into: &bytes)
        for input in inputs { input.map.serialize(into: &bytes) }
        for output in outputs { output.map.serialize(into: &bytes) }
        return bytes
    }

    /// The previous transaction in an input's map, which must be the one with the spent output.
    static func previousTransaction(
        in map: PSBTMap, of index: Int, spending outpoint: Outpoint
    ) throws(PSBTError) -> PreviousTransaction? {
        let type = PSBTInputType.nonWitnessUTXO.rawValue
        guard let value = map.value(type) else { return nil }
        let field = PSBTFieldID(.input(index), type)
        let previous: PreviousTransaction
        do throws(Transaction.ParsingError) {
            previous = try PreviousTransaction(serialized: value)
        } catch { throw .field(field, .transaction(error)) }
        if let fault = previous.fault(spending: outpoint) { throw .field(field, fault) }
        return previous
    }
}

extension PreviousTransaction {
    /// Why this is not the transaction with the output; `nil` when it is.
    func fault(spending outpoint: Outpoint) -> PSBTFieldFault? {
        guard txid == outpoint.transactionID else { return .otherTransaction(txid) }
        return outpoint.index < outputCount ? nil : .noSuchOutput(outpoint.index)
    }
}
