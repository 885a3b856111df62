import ByteCodec

/// Gives listed bytes, one for each call, then counts up: what a session draws is then known.
struct ScriptedRandom: RandomNumberGenerator, Sendable {
    private var bytes: [UInt8]
    private var counter: UInt64 = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    mutating func next() -> UInt64 {
        guard bytes.isEmpty else { return UInt64(bytes.removeFirst()) }
        counter += 1
        return (counter &* 0x9E37_79B9_7F4A_7C15) >> 32
    }
}

/// Gives the same byte for ever.
struct StuckRandom: RandomNumberGenerator, Sendable {
    func next() -> UInt64 { 0x0707_0707_0707_0707 }
}
