/// The eight characters after the `#` of an output descriptor, which catch up to five wrong characters.
///
/// Spec: BIP-380, "Checksum".
public enum DescriptorChecksum {
    /// Why a descriptor has no checksum, or not the right one.
    public enum Failure: Error, Equatable, Sendable {
        /// The character at this offset (in UTF-8 bytes) is not allowed in a descriptor.
        case character(offset: Int)
        /// There is a `#`, but not eight characters after it.
        case length(Int)
        /// The checksum belongs to another descriptor.
        case mismatch
    }

    /// The length of a checksum, in characters.
    public static let length = 8

    private static let inputAlphabet = Array(
        "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ".utf8)
    private static let checksumAlphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// What each byte stands for; `notAllowed` for those that are not in the alphabet.
    private static let inputValues: [UInt8] = {
        var values = [UInt8](repeating: notAllowed, count: 256)
        for (value, character) in inputAlphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
    private static let notAllowed: UInt8 = 255

    /// The checksum of a descriptor without one.
    public static func checksum(of descriptor: some StringProtocol) throws(Failure) -> String {
        // Nearly all texts are contiguous bytes, which are read much faster.
        let result = descriptor.utf8.withContiguousStorageIfAvailable { bytes in
            Result { () throws(Failure) in try checksum(ofBytes: bytes) }
        }
        guard let result else { return try checksum(ofBytes: Array(descriptor.utf8)) }
        return try result.get()
    }

    private static func checksum(ofBytes bytes: some Collection<UInt8>) throws(Failure) -> String {
        let inputValues = inputValues
        let feedback = feedback
        func absorb(_ value: UInt64, into residue: inout UInt64) {
            residue = (residue & 0x7_FFFF_FFFF) << 5 ^ value ^ feedback[Int(residue >> 35)]
        }
        var residue: UInt64 = 1
        var groups: UInt64 = 0
        var groupCount = 0
        for (offset, character) in bytes.enumerated() {
            let value = UInt64(inputValues[Int(character)])
            guard value != notAllowed else { throw .character(offset: offset) }
            absorb(value & 31, into: &residue)
            groups = groups * 3 + value >> 5
            groupCount += 1
            if groupCount == 3 {
                absorb(groups, into: &residue)
                (groups, groupCount) = (0, 0)
            }
        }
        if groupCount > 0 { absorb(groups, into: &residue) }
        for _ in 0..<length { absorb(0, into: &residue) }
        residue ^= 1
        let characters = (0..<length).map { position in
            let shift = 5 * (length - 1 - position)
            return checksumAlphabet[Int(residue >> shift & 31)]
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The descriptor followed by `#` and its checksum.
    public static func append(to descriptor: String) throws(Failure) -> String {
        descriptor + "#" + (try checksum(of: descriptor))
    }

    /// The descriptor without its checksum, which must be correct if present.
    public static func verify(_ text: String) throws(Failure) -> String {
        let bytes = text.utf8
        let mark = Substring(text).utf8.position { $0 == UInt8(ascii: "#") }
        let descriptor = Substring(bytes[..<(mark ?? bytes.endIndex)])
        let expected = try checksum(of: descriptor)
        if let mark {
            let found = Substring(bytes[mark...].dropFirst())
            guard found.utf8.count == length else { throw .length(found.utf8.count) }
            guard found == expected else { throw .mismatch }
        }
        return String(descriptor)
    }

    /// What the generator adds for each value of the five bits that leave the residue.
    private static let feedback: [UInt64] = (0..<32).map { top in
        [0xF5_DEE5_1989, 0xA9_FDCA_3312, 0x1B_AB10_E32D, 0x37_06B1_677A, 0x64_4D62_6FFD].enumerated()
            .reduce(0) { top & 1 << $1.offset == 0 ? $0 : $0 ^ $1.element }
    }
}
