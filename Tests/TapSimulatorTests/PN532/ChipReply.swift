/// What a host reads from the chip, taken apart without the chip's own code.
enum ChipReply: Equatable {
    case acknowledge
    case error
    /// The response's code and data.
    case response([UInt8])

    struct Malformed: Error {
        let bytes: [UInt8]
    }

    static let wakeUp: [UInt8] = [0x55, 0x55, 0x00, 0x00, 0x00]

    /// All replies in bytes that hold nothing else; `nil` when the last one is not complete.
    static func all(in bytes: [UInt8]) throws -> [Self]? {
        var rest = bytes[...]
        var replies: [Self] = []
        while !rest.isEmpty {
            guard rest.count >= 6 else { return nil }
            let head = Array(rest.prefix(5))
            guard head.starts(with: [0x00, 0x00, 0xFF]) else { throw Malformed(bytes: bytes) }
            if rest.starts(with: [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]) {
                replies.append(.acknowledge)
                rest = rest.dropFirst(6)
                continue
            }
            var count = Int(head[3])
            var start = 5
            if head[3] == 0xFF, head[4] == 0xFF {
                guard rest.count >= 8 else { return nil }
                let length = Array(rest.dropFirst(5).prefix(3))
                guard (Int(length[0]) + Int(length[1]) + Int(length[2])) % 256 == 0 else {
                    throw Malformed(bytes: bytes)
                }
                count = Int(length[0]) * 256 + Int(length[1])
                start = 8
            } else if (Int(head[3]) + Int(head[4])) % 256 != 0 {
                throw Malformed(bytes: bytes)
            }
            guard rest.count >= start + count + 2 else { return nil }
            let data = Array(rest.dropFirst(start).prefix(count))
            let tail = Array(rest.dropFirst(start + count).prefix(2))
            guard (data.reduce(0) { $0 + Int($1) } + Int(tail[0])) % 256 == 0, tail[1] == 0 else {
                throw Malformed(bytes: bytes)
            }
            if data == [0x7F] {
                replies.append(.error)
            } else if data.first == 0xD5, data.count > 1 {
                replies.append(.response(Array(data.dropFirst())))
            } else {
                throw Malformed(bytes: bytes)
            }
            rest = rest.dropFirst(start + count + 2)
        }
        return replies
    }

    /// A command's frame, made without the chip's own code.
    static func frame(_ command: [UInt8]) -> [UInt8] {
        let data = [0xD4] + command
        let count = data.count
        let length: [UInt8] =
            count > 254
            ? [0xFF, 0xFF, UInt8(count / 256), UInt8(count % 256), UInt8((512 - count / 256 - count % 256) % 256)]
            : [UInt8(count), UInt8(256 - count)]
        let sum = data.reduce(0) { $0 + Int($1) } % 256
        return [0x00, 0x00, 0xFF] + length + data + [UInt8((256 - sum) % 256), 0x00]
    }
}
