import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// One record with a fault, in a PSBT that is right but for it.
struct FaultyRecord: Sendable, CustomTestStringConvertible {
    let map: PSBTMapID
    let type: UInt64
    var keyData: [UInt8] = []
    let value: [UInt8]
    let fault: PSBTFieldFault

    var field: PSBTFieldID { PSBTFieldID(map, type) }
    var testDescription: String { "\(field) \(fault)" }

    /// The binary form of a PSBT with one input and one output that has the record in its map.
    var serialized: [UInt8] {
        var record: [UInt8] = []
        var key: [UInt8] = []
        key.appendCompactSize(type)
        key += keyData
        record.appendSized(key)
        record.appendSized(value)
        return Self.psbt(
            global: map == .global ? record : [], input: map == .input(0) ? record : [],
            output: map == .output(0) ? record : [])
    }

    /// The binary form of a PSBT with one input and one output, and with these records behind what must be there.
    static func psbt(global: [UInt8] = [], input: [UInt8] = [], output: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF, 0x01, 0x00]
        bytes.appendSized(transaction.serialized())
        return bytes + global + [0] + input + [0] + output + [0]
    }

    static let transaction = Transaction(
        inputs: [
            TransactionInput(outpoint: Outpoint(transactionID: Transaction(inputs: [], outputs: []).id, index: 0))
        ],
        outputs: [TransactionOutput(value: 1000, scriptPubKey: Script([0x51]))])
}

@Suite struct PSBTFieldTests {
    private static let key: [UInt8] = [2] + [UInt8](repeating: 0x11, count: 31) + [0x0A]
    private static let point = Array(
        (try? Hex.decode("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")) ?? [])
    private static let xOnly = Array(point.dropFirst())
    private static let ones = [UInt8](repeating: 1, count: 32)
    /// An x coordinate that no point has.
    private static let noPoint = .zeros(31) + [5] as [UInt8]

    @Test func thePlainOneIsRight() throws {
        #expect(try PSBT(serialized: FaultyRecord.psbt()).serialized() == FaultyRecord.psbt())
    }

    @Test(arguments: [
        // BIP-174
        FaultyRecord(map: .global, type: 0x01, keyData: [1], value: [], fault: .keyDataLength(1)),
        FaultyRecord(map: .global, type: 0x01, keyData: .zeros(78), value: .zeros(4), fault: .invalidPublicKey),
        FaultyRecord(
            map: .global, type: 0x01, keyData: .zeros(45) + point, value: .zeros(8), fault: .depth(0, pathLength: 1)),
        FaultyRecord(
            map: .global, type: 0x01, keyData: [0, 0, 0, 0, 2] + .zeros(40) + point, value: .zeros(8),
            fault: .depth(2, pathLength: 1)),
        FaultyRecord(map: .global, type: 0x01, keyData: .zeros(45) + point, value: .zeros(6), fault: .valueLength(6)),
        FaultyRecord(map: .global, type: 0xFB, value: [0, 0, 0], fault: .valueLength(3)),
        FaultyRecord(map: .global, type: 0xFB, keyData: [0], value: .zeros(4), fault: .keyDataLength(1)),
        FaultyRecord(
            map: .global, type: 0xFC, keyData: [2, 1], value: [], fault: .keyData(.truncated(offset: 1, needed: 2))),
        FaultyRecord(
            map: .global, type: 0xFC, keyData: [1, 1], value: [], fault: .keyData(.truncated(offset: 2, needed: 1))),
        FaultyRecord(
            map: .input(0), type: 0x00, value: .zeros(9),
            fault: .transaction(.bytes(.truncated(offset: 6, needed: 4)))),
        FaultyRecord(
            map: .input(0), type: 0x01, value: .zeros(8), fault: .value(.truncated(offset: 8, needed: 1))),
        FaultyRecord(
            map: .input(0), type: 0x01, value: .zeros(10), fault: .value(.trailingBytes(count: 1))),
        FaultyRecord(
            map: .input(0), type: 0x01, value: .zeros(8) + [0xFD, 1, 0, 0],
            fault: .value(.compactSizeNotShortest(offset: 8))),
        FaultyRecord(map: .input(0), type: 0x02, keyData: [4] + .zeros(64), value: [], fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x02, keyData: [5] + .zeros(32), value: [], fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x02, keyData: point, value: [], fault: .notASignature),
        FaultyRecord(map: .input(0), type: 0x02, keyData: point, value: [1], fault: .notASignature),
        FaultyRecord(map: .input(0), type: 0x02, keyData: point, value: .zeros(64) + [1], fault: .notASignature),
        FaultyRecord(map: .input(0), type: 0x03, value: [1], fault: .valueLength(1)),
        FaultyRecord(map: .input(0), type: 0x06, keyData: point, value: [], fault: .valueLength(0)),
        FaultyRecord(map: .input(0), type: 0x06, keyData: point, value: .zeros(7), fault: .valueLength(7)),
        FaultyRecord(
            map: .input(0), type: 0x08, value: [2, 1, 0], fault: .value(.truncated(offset: 3, needed: 1))),
        FaultyRecord(map: .input(0), type: 0x08, value: [1, 0, 0], fault: .value(.trailingBytes(count: 1))),
        FaultyRecord(
            map: .input(0), type: 0x08, value: [0xFF] + [UInt8](repeating: 0xFF, count: 8),
            fault: .value(.truncated(offset: 9, needed: 1))),
        FaultyRecord(map: .input(0), type: 0x09, value: [0xC3], fault: .notUTF8),
        FaultyRecord(map: .input(0), type: 0x0A, keyData: .zeros(20), value: [], fault: .wrongPreimage),
        FaultyRecord(map: .input(0), type: 0x0B, keyData: .zeros(32), value: [], fault: .wrongPreimage),
        FaultyRecord(map: .input(0), type: 0x0C, keyData: .zeros(20), value: [], fault: .wrongPreimage),
        FaultyRecord(map: .input(0), type: 0x0D, keyData: .zeros(32), value: [], fault: .wrongPreimage),
        FaultyRecord(map: .input(0), type: 0x0D, keyData: .zeros(20), value: [], fault: .keyDataLength(20)),
        FaultyRecord(map: .output(0), type: 0x02, keyData: ones, value: .zeros(4), fault: .keyDataLength(32)),
        FaultyRecord(
            map: .output(0), type: 0xFC, keyData: [], value: [], fault: .keyData(.truncated(offset: 0, needed: 1))),
        // BIP-371
        FaultyRecord(map: .input(0), type: 0x13, value: .zeros(66), fault: .valueLength(66)),
        FaultyRecord(map: .input(0), type: 0x14, keyData: .zeros(63), value: .zeros(64), fault: .keyDataLength(63)),
        FaultyRecord(map: .input(0), type: 0x15, keyData: .zeros(32), value: [1], fault: .keyDataLength(32)),
        FaultyRecord(
            map: .input(0), type: 0x15, keyData: .zeros(33 + 32 * 129), value: [1],
            fault: .keyDataLength(33 + 32 * 129)),
        FaultyRecord(map: .input(0), type: 0x15, keyData: [0xC0] + xOnly, value: [], fault: .valueLength(0)),
        FaultyRecord(map: .input(0), type: 0x16, keyData: xOnly, value: [1] + .zeros(35), fault: .valueLength(36)),
        FaultyRecord(map: .input(0), type: 0x16, keyData: xOnly, value: [0] + .zeros(6), fault: .valueLength(7)),
        FaultyRecord(
            map: .input(0), type: 0x16, keyData: xOnly, value: [UInt8](repeating: 0xFF, count: 13),
            fault: .valueLength(13)),
        FaultyRecord(map: .input(0), type: 0x17, value: point, fault: .valueLength(33)),
        FaultyRecord(map: .input(0), type: 0x18, value: [], fault: .valueLength(0)),
        FaultyRecord(map: .output(0), type: 0x05, value: point, fault: .valueLength(33)),
        FaultyRecord(map: .output(0), type: 0x06, value: [0, 0xC0], fault: .incompleteTapTree),
        FaultyRecord(map: .output(0), type: 0x07, keyData: point, value: .zeros(5), fault: .keyDataLength(33)),
        // BIP-373
        FaultyRecord(map: .input(0), type: 0x1A, keyData: point, value: [], fault: .valueLength(0)),
        FaultyRecord(map: .input(0), type: 0x1A, keyData: point, value: .zeros(34), fault: .valueLength(34)),
        FaultyRecord(map: .input(0), type: 0x1B, keyData: point, value: .zeros(66), fault: .keyDataLength(33)),
        FaultyRecord(map: .input(0), type: 0x1C, keyData: point + point, value: .zeros(33), fault: .valueLength(33)),
        FaultyRecord(map: .output(0), type: 0x08, keyData: [], value: point, fault: .keyDataLength(0)),
        // Keys that are no points
        FaultyRecord(
            map: .input(0), type: 0x14, keyData: noPoint + ones, value: .zeros(64), fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x15, keyData: [0xC0] + noPoint, value: [0xC0], fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x15, keyData: [0xC1] + noPoint + xOnly, value: [0xC0], fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x16, keyData: noPoint, value: .zeros(5), fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x17, value: noPoint, fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x1A, keyData: [2] + noPoint, value: point, fault: .invalidPublicKey),
        FaultyRecord(map: .input(0), type: 0x1A, keyData: point, value: [3] + noPoint, fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x1A, keyData: point, value: point + [4] + xOnly, fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x1B, keyData: [2] + noPoint + point, value: .zeros(66), fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x1B, keyData: point + [2] + noPoint + ones, value: .zeros(66),
            fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x1C, keyData: [2] + noPoint + point, value: .zeros(32), fault: .invalidPublicKey),
        FaultyRecord(
            map: .input(0), type: 0x1C, keyData: point + .zeros(33), value: .zeros(32), fault: .invalidPublicKey),
        FaultyRecord(map: .output(0), type: 0x05, value: noPoint, fault: .invalidPublicKey),
        FaultyRecord(map: .output(0), type: 0x07, keyData: noPoint, value: .zeros(5), fault: .invalidPublicKey),
        FaultyRecord(map: .output(0), type: 0x08, keyData: [3] + noPoint, value: point, fault: .invalidPublicKey),
        FaultyRecord(map: .output(0), type: 0x08, keyData: point, value: point + .zeros(33), fault: .invalidPublicKey),
    ])
    func aFaultyRecordIsRefused(record: FaultyRecord) {
        #expect(throws: PSBTError.field(record.field, record.fault)) { try PSBT(serialized: record.serialized) }
    }

    /// The same records with points are right: what is refused above is refused for its key.
    @Test func pointsAreTaken() throws {
        let (point, xOnly, ones) = (Self.point, Self.xOnly, Self.ones)
        let records = [
            FaultyRecord(map: .input(0), type: 0x14, keyData: xOnly + ones, value: .zeros(64), fault: .missing),
            FaultyRecord(map: .input(0), type: 0x15, keyData: [0xC1] + xOnly + ones, value: [0xC0], fault: .missing),
            FaultyRecord(map: .input(0), type: 0x16, keyData: xOnly, value: .zeros(5), fault: .missing),
            FaultyRecord(map: .input(0), type: 0x17, value: xOnly, fault: .missing),
            FaultyRecord(map: .input(0), type: 0x1A, keyData: point, value: point + point, fault: .missing),
            FaultyRecord(
                map: .input(0), type: 0x1B, keyData: point + point + ones, value: .zeros(66), fault: .missing),
            FaultyRecord(map: .input(0), type: 0x1C, keyData: point + point, value: .zeros(32), fault: .missing),
            FaultyRecord(map: .output(0), type: 0x05, value: xOnly, fault: .missing),
            FaultyRecord(map: .output(0), type: 0x07, keyData: xOnly, value: .zeros(5), fault: .missing),
            FaultyRecord(map: .output(0), type: 0x08, keyData: point, value: point, fault: .missing),
        ]
        for record in records {
            #expect(try PSBT(serialized: record.serialized).serialized() == record.serialized, "\(record.field)")
        }
    }

    @Test func fieldsOfVersion2AreRefused() {
        let types: [(PSBTMapID, ClosedRange<UInt64>)] = [
            (.global, 0x02...0x06), (.input(0), 0x0E...0x12), (.output(0), 0x03...0x04),
        ]
        for (map, range) in types {
            for type in range {
                let record = FaultyRecord(map: map, type: type, value: .zeros(4), fault: .notInVersion(.v0))
                #expect(throws: PSBTError.field(record.field, record.fault)) { try PSBT(serialized: record.serialized) }
            }
        }
    }

    @Test func otherVersionsAreRefused() throws {
        func psbt(version: UInt32) -> [UInt8] {
            var value: [UInt8] = []
            value.appendLittleEndian(version)
            return FaultyRecord.psbt(global: [1, 0xFB, 4] + value)
        }
        #expect(try PSBT(serialized: psbt(version: 0)).serialized() == psbt(version: 0))
        #expect(throws: PSBTError.field(.init(.global, 0x00), .notInVersion(.v2))) {
            try PSBT(serialized: psbt(version: 2))
        }
        for version: UInt32 in [1, 3, 0x0100_0000, 0x0200_0000] {
            #expect(throws: PSBTError.unsupportedVersion(version)) { try PSBT(serialized: psbt(version: version)) }
        }
    }

    @Test func whatIsNotKnownIsKept() throws {
        var large: [UInt8] = []
        large.appendSized([0xFE, 0, 0, 1, 0, 9, 9])
        large.appendSized([UInt8](repeating: 7, count: 300))
        let proprietary: [UInt8] = [5, 0xFC, 1, 0x61, 0, 7, 1, 8]
        let unknown: [UInt8] = [1, 0x99, 0, 2, 0x99, 5, 1, 1]
        let bytes = FaultyRecord.psbt(
            global: unknown + proprietary, input: proprietary + large + unknown, output: large)
        let psbt = try PSBT(serialized: bytes)
        #expect(psbt.serialized() == bytes)
        #expect(psbt.inputs[0].map.value(0x1_0000, keyData: [9, 9])?.count == 300)
    }

    @Test func everyKnownTypeHasItsName() {
        #expect(PSBTFieldID(.global, 0xFB).description == "global map: PSBT_GLOBAL_VERSION (type 0xfb)")
        #expect(PSBTFieldID(.input(3), 2).description == "input 3: PSBT_IN_PARTIAL_SIG (type 0x02)")
        #expect(PSBTFieldID(.output(0), 0x1234).description == "output 0: unknown field (type 0x1234)")
        let names =
            PSBTGlobalType.allCases.map { PSBTFieldID(.global, $0.rawValue).name }
            + PSBTInputType.allCases.map { PSBTFieldID(.input(0), $0.rawValue).name }
            + PSBTOutputType.allCases.map { PSBTFieldID(.output(0), $0.rawValue).name }
        #expect(Set(names.compactMap(\.self)).count == 9 + 29 + 10)
    }
}

extension [UInt8] {
    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
