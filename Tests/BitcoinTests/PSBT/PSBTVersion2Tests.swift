import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTVersion2Tests {
    @Test func everyRowIsHere() throws {
        #expect(
            try PSBTVectors.version2Rows.get().countsByKind == [
                "invalid": 24, "valid": 14, "lock_time": 10, "convert": 14, "convert_to_v2": 25,
            ])
    }

    @Test func invalidRowsAreRefusedForTheirFault() throws {
        let rows = try PSBTVectors.version2Rows("invalid")
        #expect(Set(rows.compactMap { $0["name", as: String.self] }) == Set(Self.faults.keys))
        for row in rows {
            let fault = try #require(Self.faults[try row.text("name")])
            #expect(throws: fault, "\(row.testDescription)") { try row.psbt() }
            #expect(throws: fault, "\(row.testDescription)") { try PSBT(serialized: try row.bytes("psbt")) }
        }
    }

    private static let faults: [String: PSBTError] = [
        "v0-with-version-2": .field(.init(.global, 0x00), .notInVersion(.v2)),
        "v0-with-tx-version": .field(.init(.global, 0x02), .notInVersion(.v0)),
        "v0-with-fallback-locktime": .field(.init(.global, 0x03), .notInVersion(.v0)),
        "v0-with-input-count": .field(.init(.global, 0x04), .notInVersion(.v0)),
        "v0-with-output-count": .field(.init(.global, 0x05), .notInVersion(.v0)),
        "v0-with-tx-modifiable": .field(.init(.global, 0x06), .notInVersion(.v0)),
        "v0-with-previous-txid": .field(.init(.input(0), 0x0E), .notInVersion(.v0)),
        "v0-with-output-index": .field(.init(.input(0), 0x0F), .notInVersion(.v0)),
        "v0-with-sequence": .field(.init(.input(0), 0x10), .notInVersion(.v0)),
        "v0-with-required-time-locktime": .field(.init(.input(0), 0x11), .notInVersion(.v0)),
        "v0-with-required-height-locktime": .field(.init(.input(0), 0x12), .notInVersion(.v0)),
        "v0-with-output-amount": .field(.init(.output(0), 0x03), .notInVersion(.v0)),
        "v0-with-output-script": .field(.init(.output(0), 0x04), .notInVersion(.v0)),
        "v2-with-unsigned-tx": .field(.init(.global, 0x00), .notInVersion(.v2)),
        "v2-without-input-count": .field(.init(.global, 0x04), .missing),
        "v2-without-output-count": .field(.init(.global, 0x05), .missing),
        "v2-without-tx-version": .field(.init(.global, 0x02), .missing),
        "v2-without-previous-txid": .field(.init(.input(0), 0x0E), .missing),
        "v2-without-output-index": .field(.init(.input(0), 0x0F), .missing),
        "v2-without-output-amount": .field(.init(.output(0), 0x03), .missing),
        "v2-without-output-script": .field(.init(.output(0), 0x04), .missing),
        "v2-required-time-locktime-below-500000000": .field(.init(.input(0), 0x11), .notALockTime(499_999_999)),
        "v2-required-height-locktime-500000000-or-more": .field(.init(.input(0), 0x12), .notALockTime(500_000_000)),
        "v2-required-height-locktime-0": .field(.init(.input(0), 0x12), .notALockTime(0)),
    ]

    @Test func validRowsComeBackByteForByte() throws {
        for row in try PSBTVectors.version2Rows("valid") {
            let psbt = try row.psbt()
            let bytes = try row.psbtBytes()
            #expect(psbt.serialized() == bytes, "\(row.testDescription)")
            #expect(bytes == (try row.bytes("psbt")), "\(row.testDescription)")
            #expect(psbt.version.rawValue == UInt32(try row.number("version")))
            #expect(psbt.inputs.count == (try row.number("inputs")))
            #expect(psbt.outputs.count == (try row.number("outputs")))
            #expect(psbt.unsignedTransaction.inputs.count == psbt.inputs.count)
            #expect(psbt.unsignedTransaction.outputs.count == psbt.outputs.count)
            #expect(psbt.global.records.map { Int($0.type) } == row["global_key_types"])
            #expect(psbt.inputs.map { $0.map.records.map { Int($0.type) } } == (try row.keyTypes("input_key_types")))
            #expect(psbt.outputs.map { $0.map.records.map { Int($0.type) } } == (try row.keyTypes("output_key_types")))
        }
    }

    @Test func lockTimesAreDetermined() throws {
        for row in try PSBTVectors.version2Rows("lock_time") {
            guard try row.flag("computable") else {
                #expect(throws: PSBTError.field(.init(.input(1), 0x11), .otherKindOfLockTime)) { try row.psbt() }
                continue
            }
            let psbt = try row.psbt()
            #expect(Int(psbt.unsignedTransaction.lockTime) == (try row.number("lock_time")), "\(row.testDescription)")
            #expect(psbt.serialized() == (try row.psbtBytes()))
            #expect(psbt.serialized() == (try row.bytes("psbt")))
            #expect(psbt.inputs.count == (try row.number("inputs")))
            #expect(psbt.outputs.count == (try row.number("outputs")))
            let heights = try #require(row.fields["required_heights"] as? [Any]).map { $0 as? Int }
            let times = try #require(row.fields["required_times"] as? [Any]).map { $0 as? Int }
            #expect(psbt.inputs.map { $0.requiredHeightLockTime.map { Int($0) } } == heights)
            #expect(psbt.inputs.map { $0.requiredTimeLockTime.map { Int($0) } } == times)
            let fallback = psbt.global.value(PSBTGlobalType.fallbackLockTime.rawValue).map(Array.init)
            #expect(fallback == (row["fallback_lock_time", as: Int.self]).map { Version2Sample.bytes(UInt32($0)) })
        }
    }

    /// Against the rule of BIP-370 as it is written: the kind that every demanding input has, height before time.
    @Test func lockTimesOfRandomDemandsAreDetermined() throws {
        var generator = SeededGenerator()
        var refused = 0
        for _ in 0..<2_000 {
            var demands: [(height: UInt32?, time: UInt32?)] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let height = UInt32.random(in: 1...499_999_999, using: &generator)
                let time = UInt32.random(in: 500_000_000 ... .max, using: &generator)
                let has = (Bool.random(using: &generator), Bool.random(using: &generator))
                demands.append((has.0 ? height : nil, has.1 ? time : nil))
            }
            let fallback = Bool.random(using: &generator) ? UInt32.random(in: 0 ... .max, using: &generator) : nil
            let sample = Version2Sample(fallback: fallback, demands: demands)
            let demanding = demands.filter { $0.height != nil || $0.time != nil }
            let heights = demanding.compactMap(\.height)
            let times = demanding.compactMap(\.time)
            var expected: UInt32?
            if demanding.isEmpty {
                expected = fallback ?? 0
            } else if heights.count == demanding.count {
                expected = heights.max()
            } else if times.count == demanding.count {
                expected = times.max()
            }
            if let expected {
                #expect(try sample.psbt().unsignedTransaction.lockTime == expected)
            } else {
                refused += 1
                let error = #expect(throws: PSBTError.self) { try sample.psbt() }
                guard case .field(_, .otherKindOfLockTime) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
        #expect(refused > 100)
    }

    @Test func whatIsNotSaidHasItsDefault() throws {
        let transaction = try Version2Sample().psbt().unsignedTransaction
        #expect(transaction.version == 2)
        #expect(transaction.lockTime == 0)
        #expect(transaction.inputs == FaultyRecord.transaction.inputs)
        #expect(transaction.inputs[0].sequence == 0xFFFF_FFFF)
        #expect(transaction.outputs == FaultyRecord.transaction.outputs)

        let said = try Version2Sample().with(0x02, Version2Sample.bytes(UInt32(0x7FFF_FFFF)), in: .global)
            .with(0x03, Version2Sample.bytes(UInt32(77)), in: .global)
            .with(0x10, Version2Sample.bytes(UInt32(5)), in: .input(0))
            .with(0x0F, Version2Sample.bytes(UInt32(9)), in: .input(0))
            .with(0x03, Version2Sample.bytes(Int64(-1)), in: .output(0)).psbt().unsignedTransaction
        #expect(said.version == 0x7FFF_FFFF)
        #expect(said.lockTime == 77)
        #expect(said.inputs[0].sequence == 5)
        #expect(said.inputs[0].outpoint.index == 9)
        #expect(said.outputs[0].value == -1)
    }

    /// A record that is missing or wrong in a PSBT of version 2 that is right but for it.
    private static let faultyRecords: [(PSBTMapID, UInt64, [UInt8]?, PSBTFieldFault)] = [
        (.global, 0x02, nil, .missing), (.global, 0x04, nil, .missing), (.global, 0x05, nil, .missing),
        (.global, 0x02, [1, 0, 0, 0], .transactionVersion(1)), (.global, 0x02, .zeros(4), .transactionVersion(0)),
        (.global, 0x02, [255, 255, 255, 255], .transactionVersion(-1)), (.global, 0x02, [2], .valueLength(1)),
        (.global, 0x03, [0], .valueLength(1)), (.global, 0x04, [], .value(.truncated(offset: 0, needed: 1))),
        (.global, 0x04, [1, 0], .value(.trailingBytes(count: 1))),
        (.global, 0x05, [0xFD, 1, 0], .value(.compactSizeNotShortest(offset: 0))),
        (.global, 0x06, [], .valueLength(0)), (.global, 0x06, [1, 0], .valueLength(2)),
        (.global, 0x00, FaultyRecord.transaction.serialized(), .notInVersion(.v2)),
        (.input(0), 0x0E, nil, .missing), (.input(0), 0x0F, nil, .missing),
        (.input(0), 0x0E, .zeros(31), .valueLength(31)), (.input(0), 0x0F, .zeros(5), .valueLength(5)),
        (.input(0), 0x10, .zeros(3), .valueLength(3)), (.input(0), 0x11, .zeros(3), .valueLength(3)),
        (.input(0), 0x11, [0xFF, 0x64, 0xCD, 0x1D], .notALockTime(499_999_999)),
        (.input(0), 0x12, .zeros(4), .notALockTime(0)), (.input(0), 0x12, .zeros(5), .valueLength(5)),
        (.input(0), 0x12, [0x00, 0x65, 0xCD, 0x1D], .notALockTime(500_000_000)),
        (.output(0), 0x03, nil, .missing), (.output(0), 0x04, nil, .missing),
        (.output(0), 0x03, .zeros(7), .valueLength(7)),
    ]

    @Test(arguments: faultyRecords.indices) func aFaultyRecordIsRefused(index: Int) {
        let (map, type, value, fault) = Self.faultyRecords[index]
        let sample = Version2Sample().with(type, value, in: map)
        #expect(throws: PSBTError.field(.init(map, type), fault)) { try sample.psbt() }
    }

    @Test func theLimitsOfLockTimesAreTaken() throws {
        for (type, value): (UInt64, UInt32) in [
            (0x11, 500_000_000), (0x11, .max), (0x12, 1), (0x12, 499_999_999),
        ] {
            let sample = Version2Sample().with(type, Version2Sample.bytes(value), in: .input(0))
            #expect(try sample.psbt().unsignedTransaction.lockTime == value)
        }
    }

    @Test func withoutItsVersionItIsVersion0() {
        #expect(throws: PSBTError.field(.init(.global, 0x02), .notInVersion(.v0))) {
            try Version2Sample().with(0xFB, nil, in: .global).psbt()
        }
    }

    @Test func countsMustBeTrue() throws {
        let sample = Version2Sample()
        // One input too few: the input's map stands where the output's should, and the output's is left over.
        #expect(throws: PSBTError.field(.init(.output(0), 0x03), .missing)) {
            try sample.with(0x04, [0], in: .global).psbt()
        }
        #expect(throws: PSBTError.trailingBytes(count: 16)) { try sample.with(0x05, [0], in: .global).psbt() }
        // One too many: the output's map stands where an input's should, and nothing where an output's should.
        #expect(throws: PSBTError.field(.init(.input(1), 0x03), .valueLength(8))) {
            try sample.with(0x04, [2], in: .global).psbt()
        }
        #expect(throws: PSBTError.malformed(.output(1), .truncated(offset: sample.serialized.count, needed: 1))) {
            try sample.with(0x05, [2], in: .global).psbt()
        }
        // As many as can be said, and none of them there: the file's end is found at once.
        for type: UInt64 in [0x04, 0x05] {
            let huge = [0xFF] + [UInt8](repeating: 0xFF, count: 8)
            #expect(throws: PSBTError.self) { try sample.with(type, huge, in: .global).psbt() }
        }
    }

    @Test func aTransactionMayBeEmpty() throws {
        var sample = Version2Sample()
        (sample.inputs, sample.outputs) = ([], [])
        sample.set(0x04, [0], in: .global)
        sample.set(0x05, [0], in: .global)
        let psbt = try sample.psbt()
        #expect(psbt.unsignedTransaction == Transaction(inputs: [], outputs: []))
        #expect(psbt.serialized() == sample.serialized)
        #expect(try psbt.converted(to: .v0).converted(to: .v2).unsignedTransaction == psbt.unsignedTransaction)
    }

    @Test func thePreviousTransactionMustBeTheOutpoints() throws {
        let other = Transaction(inputs: FaultyRecord.transaction.inputs, outputs: FaultyRecord.transaction.outputs)
        #expect(throws: PSBTError.field(.init(.input(0), 0x00), .otherTransaction(other.id))) {
            try Version2Sample().with(0x00, other.serialized(), in: .input(0)).psbt()
        }
        let right = Version2Sample().with(0x00, other.serialized(), in: .input(0))
            .with(0x0E, other.id.bytes, in: .input(0))
        #expect(try right.psbt().inputs[0].nonWitnessUTXO?.txid == other.id)
        #expect(throws: PSBTError.field(.init(.input(0), 0x00), .noSuchOutput(1))) {
            try right.with(0x0F, [1, 0, 0, 0], in: .input(0)).psbt()
        }
    }

    @Test func theTransactionIsBounded() throws {
        func sample(scriptLength: Int) -> Version2Sample {
            Version2Sample().with(0x04, [UInt8](repeating: 0x51, count: scriptLength), in: .output(0))
        }
        let overhead = try sample(scriptLength: 0x1_0000).psbt().unsignedTransaction.serialized().count - 0x1_0000
        let most = PSBT.maximumTransactionSize - overhead
        let largest = try sample(scriptLength: most).psbt()
        #expect(largest.unsignedTransaction.serialized().count == PSBT.maximumTransactionSize)
        #expect(try largest.converted(to: .v0).unsignedTransaction == largest.unsignedTransaction)
        #expect(throws: PSBTError.transactionTooLarge(limit: 1_000_000)) { try sample(scriptLength: most + 1).psbt() }
    }

    @Test func everyTruncationIsRefused() throws {
        let bytes = try PSBTVectors.version2("with-sequence-and-locktimes").serialized()
        for count in 0..<bytes.count {
            #expect(throws: PSBTError.self, "\(count) bytes") { try PSBT(serialized: Array(bytes.prefix(count))) }
        }
        #expect(throws: PSBTError.trailingBytes(count: 1)) { try PSBT(serialized: bytes + [0]) }
    }

    @Test(arguments: PSBT.FileForm.allCases) func everyFormIsRead(form: PSBT.FileForm) throws {
        let psbt = try PSBTVectors.version2("updated")
        let again = try PSBT(fileContent: psbt.encoded(as: form))
        #expect(again.fileForm == form)
        #expect(again.version == .v2)
        #expect(again.serialized() == psbt.serialized())
    }
}
