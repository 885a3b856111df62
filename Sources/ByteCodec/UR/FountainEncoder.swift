/// A message in parts; any large enough set of them will do. First its fragments, then endless mixtures of them.
///
/// Spec: BCR-2024-001.
public struct FountainEncoder: Sendable {
    /// How many fragments the message has; parts 1 to `count` are these fragments themselves.
    public let count: Int

    private let fragments: [[UInt8]]
    private let messageLength: Int
    private let checksum: UInt32
    private let degrees: WeightedChoice
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    private static let minimumLength = 10

    /// - Parameters:
    ///   - message: at least one byte.
    ///   - maximumLength: the most bytes in a fragment, at least 10; all are equally long, the last one padded with zeros.
    ///   - sha256: the hash that seeds the choice of mixtures.
    public init(
        _ message: [UInt8], maximumLength: Int, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        let most = max(Self.minimumLength, maximumLength)
        count = max(1, message.count.dividedUp(by: most))
        let length = max(1, message.count.dividedUp(by: count))
        var fragments: [[UInt8]] = []
        for index in 0..<count {
            let fragment = message[min(message.count, index * length)..<min(message.count, (index + 1) * length)]
            fragments.append(fragment + [UInt8](repeating: 0, count: length - fragment.count))
        }
        self.fragments = fragments
        messageLength = message.count
        checksum = CRC32.checksum(message)
        degrees = WeightedChoice((1...count).map { 1 / Double($0) })
        self.sha256 = sha256
    }

    /// A part as CBOR: its number, the count of fragments, the message's length and CRC-32, and the data.
    /// - Parameter number: counted from 1.
    public func part(_ number: UInt32) -> [UInt8] {
        var data = [UInt8](repeating: 0, count: fragments.first?.count ?? 0)
        for index in indices(inPart: number) {
            for (place, byte) in fragments[index].enumerated() { data[place] ^= byte }
        }
        return CBOREncoder.encode(
            .array([
                .unsigned(UInt64(number)), .unsigned(UInt64(count)), .unsigned(UInt64(messageLength)),
                .unsigned(UInt64(checksum)), .bytes(data),
            ]))
    }

    /// The fragments that a part mixes, counted from 0.
    func indices(inPart number: UInt32) -> [Int] {
        if number >= 1, number <= count { return [Int(number) - 1] }
        var random = Xoshiro256(seed: sha256(number.bigEndianBytes + checksum.bigEndianBytes))
        let degree = degrees.next(&random) + 1
        return Array(random.shuffledIndices(below: count).prefix(degree))
    }
}
