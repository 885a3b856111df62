import ByteCodec
import SmartCard

/// APDUs as a trace may show them: in every map, the fields that carry a secret (even hidden on the wire, they do not
/// belong in a log) are replaced by the same number of zeros. Of data that is not a map, only the length is shown.
enum TraceMask {
    /// The CVC, a new CVC or an encrypted backup, and private keys.
    static let secretFields: Set<String> = ["xcvc", "data", "privkey", "master_pk"]

    /// A command in hexadecimal.
    static func text(for command: CommandAPDU) -> String {
        let header = [command.instructionClass, command.instruction, command.parameter1, command.parameter2]
        let isSelect = command.instruction != TapAPDU.instruction
        let data = isSelect ? Hex.encode(command.data) : masked(command.data)
        return Hex.encode(header + [UInt8(truncatingIfNeeded: command.data.count)]) + data
    }

    /// A response with its status word in hexadecimal.
    static func text(for answer: ResponseAPDU) -> String { masked(answer.data) + answer.status.description }

    private static func masked(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "" }
        guard case .map(var map)? = try? CBORDecoder.decode(bytes) else { return "<\(bytes.count) unreadable bytes>" }
        for (key, value) in map.pairs where secretFields.contains(key) {
            guard case .bytes(let content) = value else {
                map[key] = .null
                continue
            }
            map[key] = .bytes([UInt8](repeating: 0, count: content.count))
        }
        return Hex.encode(CBOREncoder.encode(.map(map)))
    }
}
