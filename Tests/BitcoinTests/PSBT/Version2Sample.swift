import Bitcoin
import ByteCodec

/// The parts of a PSBT of version 2, from which its binary form is put together.
struct Version2Sample {
    typealias Map = [(type: UInt64, value: [UInt8])]

    var global: Map
    var inputs: [Map]
    var outputs: [Map]

    /// One input and one output, with what must be there.
    init() {
        global = [
            (0x02, Self.bytes(UInt32(2))), (0x04, [1]), (0x05, [1]), (0xFB, Self.bytes(UInt32(2))),
        ]
        inputs = [Self.input(0)]
        outputs = [[(0x03, Self.bytes(Int64(1_000))), (0x04, [0x51])]]
    }

    /// Inputs with these demands for a lock time.
    init(fallback: UInt32? = nil, demands: [(height: UInt32?, time: UInt32?)]) {
        self.init()
        if let fallback { set(0x03, Self.bytes(fallback), in: .global) }
        set(0x04, [UInt8(demands.count)], in: .global)
        inputs = []
        for (index, demand) in demands.enumerated() {
            var input = Self.input(UInt32(index))
            if let time = demand.time { input.append((0x11, Self.bytes(time))) }
            if let height = demand.height { input.append((0x12, Self.bytes(height))) }
            inputs.append(input)
        }
    }

    private static func input(_ index: UInt32) -> Map {
        [
            (0x0E, FaultyRecord.transaction.inputs[0].outpoint.transactionID.bytes), (0x0F, bytes(index)),
        ]
    }

    /// The bytes of a number, as wide as its type.
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(number)
        return bytes
    }

    /// Sets a record, or removes it.
    mutating func set(_ type: UInt64, _ value: [UInt8]?, in id: PSBTMapID) {
        func changed(_ map: Map) -> Map {
            var rest = map.filter { $0.type != type }
            if let value { rest.append((type, value)) }
            return rest.sorted { $0.type < $1.type }
        }
        switch id {
        case .global: global = changed(global)
        case .input(let index): inputs[index] = changed(inputs[index])
        case .output(let index): outputs[index] = changed(outputs[index])
        }
    }

    /// The same with a record set, or removed.
    func with(_ type: UInt64, _ value: [UInt8]?, in id: PSBTMapID) -> Self {
        var changed = self
        changed.set(type, value, in: id)
        return changed
    }

    /// The binary form.
    var serialized: [UInt8] {
        var bytes: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]
        for map in [global] + inputs + outputs {
            for (type, value) in map {
                bytes += [1, UInt8(type)]
                bytes.appendSized(value)
            }
            bytes.append(0)
        }
        return bytes
    }

    /// What is read from the binary form.
    func psbt() throws -> PSBT { try PSBT(serialized: serialized) }
}
