import ByteCodec
import TapSimulator

/// One command and its answer, as whoever holds the line sees them.
struct OverheardExchange: Sendable {
    /// `cmd`; `select` for SELECT.
    let name: String
    /// The request's map; empty for SELECT.
    let request: CBORMap
    /// The answer's map; empty where the answer holds none.
    let answer: CBORMap

    init(name: String, request: CBORMap, answer: CBORMap) {
        (self.name, self.request, self.answer) = (name, request, answer)
    }

    /// - Parameters:
    ///   - command: a command APDU.
    ///   - answer: with its status word.
    init(_ exchange: CardExchange, answer: [UInt8]) {
        self.init(
            name: exchange.name, request: Self.request(in: exchange.command) ?? [:],
            answer: Self.map(Array(answer.dropLast(2))) ?? [:])
    }

    /// The map of a command APDU; `nil` for SELECT.
    static func request(in command: [UInt8]) -> CBORMap? {
        guard command.count > 5, command[1] == 0xCB else { return nil }
        return map(Array(command.dropFirst(5).prefix(Int(command[4]))))
    }

    /// A command APDU with another map.
    static func command(_ request: CBORMap) -> [UInt8] {
        let data = CBOREncoder.encode(.map(request))
        return [0x00, 0xCB, 0x00, 0x00, UInt8(data.count)] + data
    }

    static func map(_ bytes: [UInt8]) -> CBORMap? {
        guard case .map(let map)? = try? CBORDecoder.decode(bytes) else { return nil }
        return map
    }
}

extension CBORMap {
    /// A byte string.
    func bytes(_ key: String) -> [UInt8]? {
        if case .bytes(let bytes)? = self[key] { bytes } else { nil }
    }

    /// A list of step numbers.
    func steps(_ key: String) -> [UInt32]? {
        guard case .array(let items)? = self[key] else { return nil }
        return items.compactMap { if case .unsigned(let number) = $0 { UInt32(exactly: number) } else { nil } }
    }

    /// Every byte string of the map, those in lists too.
    var byteStrings: [(key: String, bytes: [UInt8])] {
        pairs.flatMap { key, value -> [(String, [UInt8])] in
            switch value {
            case .bytes(let bytes): [(key, bytes)]
            case .array(let items): items.compactMap { if case .bytes(let bytes) = $0 { (key, bytes) } else { nil } }
            default: []
            }
        }
    }
}

extension Sequence<UInt8> {
    /// Byte by byte, as long as the shorter of both.
    func xor(_ other: some Sequence<UInt8>) -> [UInt8] { zip(self, other).map { $0 ^ $1 } }
}
