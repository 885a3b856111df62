import Bitcoin
import TestSupport
import Testing

/// Texts whose letters have ever more accents, which Swift takes the square of the time to compare: they are refused in time
/// that grows as they do.
@Suite struct AccentScalingTests {
    private static let readers: [(String, [String], @Sendable (String) -> Bool)] = [
        ("amount", ["", "1", "1s", "1 btc"], { (try? Amount(parsing: $0)) != nil }),
        ("path", ["", "m", "m/0", "m/0/0h"], { (try? DerivationPath(parsing: $0)) != nil }),
        ("path of a card", ["", "m/0", "m/0x"], { (try? DerivationPath(parsing: $0, dialect: .card)) != nil }),
        ("descriptor", ["", "wpkh(", "wpkh([00000000/0"], { (try? Descriptor(parsing: $0)) != nil }),
        ("descriptor's key", ["", "[", "[00000000/0"], { (try? DescriptorKey(parsing: $0)) != nil }),
        ("address", ["", "b", "1"], { (try? UncheckedAddress(parsing: $0)) != nil }),
        ("coin", ["", "ab:"], { Outpoint(parsing: $0) != nil }),
    ]

    @Test(arguments: readers.indices) func isRefused(_ index: Int) throws {
        let (what, starts, isTaken) = Self.readers[index]
        for start in starts {
            try Scaling.expectLinear("accents of a \(what) behind “\(start)”", from: 512, upTo: 1 << 14) { size in
                start + String(repeating: "\u{316}\u{301}", count: size)
            } work: { text in
                #expect(!isTaken(text))
            }
        }
    }
}
