import ByteCodec
import Testing

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("1", 100_000_000), ("0.00000001", 1), ("1e-8", 1), ("1E-08", 1), ("0.1", 10_000_000),
        ("1.10000000000", 110_000_000), ("100e-10", 1), ("92233720368.54775807", .max),
        ("-92233720368.54775807", -.max),
        ("0e1000", 0), ("0.0e-1000", 0), ("12e0", 1_200_000_000),
    ])
    func scalesExactly(_ text: String, _ expected: Int64) {
        #expect(JSONNumber(text: text).scaled(byPowerOfTen: 8) == expected)
    }

    @Test(arguments: [
        "0.000000001", "1e-9", "92233720368.54775808", "1e11", "1e1000", "1e1001", "1e99999999999999999999", "1e-1001",
        "1.000000001", String(repeating: "1", count: 101), "9e18",
    ])
    func refuses(_ text: String) {
        #expect(JSONNumber(text: text).scaled(byPowerOfTen: 8) == nil)
    }

    @Test(arguments: [
        ("0.00000000", 0), ("0.0001", 1), ("1.0001", 1_001), ("1.001", 1_001), ("1e-900", 1), ("-0.0001", -1),
    ])
    func roundsUp(_ text: String, _ expected: Int64) {
        #expect(JSONNumber(text: text).scaled(byPowerOfTen: 3, .roundedUp) == expected)
    }

    @Test(arguments: [("5", 5), ("-5", -5), ("9223372036854775807", .max)] as [(String, Int64)])
    func readsIntegers(_ text: String, _ expected: Int64) { #expect(JSONNumber(text: text).integer == expected) }

    @Test(arguments: ["5.0", "5e0", "9223372036854775808", "-9223372036854775809"])
    func refusesWhatIsNoInteger(_ text: String) { #expect(JSONNumber(text: text).integer == nil) }
}
