import ByteCodec

/// Reads the maps of a PSBT in turn and checks each record.
struct PSBTParser {
    private var reader: ByteReader
    private let magicLength: Int
    private var recordCount = 0

    /// The version of the PSBT, known once the global map is read.
    private(set) var version = PSBT.Version.v0

    /// Starts with the map at `offset`.
    init(_ bytes: [UInt8], offset: Int) {
        reader = ByteReader(bytes[offset...])
        magicLength = offset
    }

    /// Reads the global map, and with it the version.
    mutating func globalMap() throws(PSBTError) -> PSBTMap {
        let records = try records(of: .global)
        let field = PSBTFieldID(.global, PSBTGlobalType.version.rawValue)
        if let record = records.first(where: { $0.type == field.type }) {
            guard record.value.count == 4 else { throw .field(field, .valueLength(record.value.count)) }
            let number = UInt32(littleEndian: record.value)
            guard let known = PSBT.Version(rawValue: number) else { throw .unsupportedVersion(number) }
            version = known
        }
        return try checked(records, of: .global)
    }

    /// Reads the next map.
    mutating func map(_ id: PSBTMapID) throws(PSBTError) -> PSBTMap {
        try checked(try records(of: id), of: id)
    }

    /// Checks that nothing is left.
    func expectEnd() throws(PSBTError) {
        guard reader.isAtEnd else { throw .trailingBytes(count: reader.remaining) }
    }

    /// Reads records up to the separator.
    private mutating func records(of id: PSBTMapID) throws(PSBTError) -> [PSBTRecord] {
        var records: [PSBTRecord] = []
        do throws(ByteReader.ReadingError) {
            while true {
                let keyLength = try reader.compactSize()
                if keyLength == 0 { return records }
                guard recordCount < PSBT.maximumRecordCount else { break }
                recordCount += 1
                records.append(try PSBTRecord(keyLength: keyLength, from: &reader))
            }
        } catch { throw .malformed(id, error.shifted(by: magicLength)) }
        throw .tooManyRecords(limit: PSBT.maximumRecordCount)
    }

    private func checked(_ records: [PSBTRecord], of id: PSBTMapID) throws(PSBTError) -> PSBTMap {
        if let duplicate = Self.firstDuplicate(in: records) {
            throw .field(PSBTFieldID(id, duplicate.type), .duplicate)
        }
        for record in records {
            guard let format = PSBTFieldFormat(of: record.type, in: id.scope) else { continue }
            do throws(PSBTFieldFault) {
                try format.check(record, version: version)
            } catch { throw .field(PSBTFieldID(id, record.type), error) }
        }
        return PSBTMap(id.scope, records: records)
    }

    /// A record whose key appears twice. Linear when the keys are sorted, as in nearly every file.
    private static func firstDuplicate(in records: [PSBTRecord]) -> PSBTRecord? {
        let ascends = zip(records, records.dropFirst()).allSatisfy { $0.precedes($1) }
        guard !ascends else { return nil }
        let places = records.placesByKey
        let pair = zip(places, places.dropFirst()).first { records[$0].hasSameKey(as: records[$1]) }
        return pair.map { records[$0.0] }
    }
}

extension ByteReader.ReadingError {
    /// The same error, with its offset counted from an earlier start.
    fileprivate func shifted(by count: Int) -> Self {
        switch self {
        case .truncated(let offset, let needed): .truncated(offset: offset + count, needed: needed)
        case .compactSizeNotShortest(let offset): .compactSizeNotShortest(offset: offset + count)
        case .trailingBytes: self
        }
    }
}
