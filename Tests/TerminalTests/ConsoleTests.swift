import Testing

@testable import Terminal

/// The line that is drawn again and again.
@Suite struct ConsoleTests {
    @Test(arguments: [
        ("Signed 1 of 2. Leave the card", 50, "Signed 1 of 2. Leave the card"),
        ("Signed 1 of 2. Leave the card", 27, "Signed 1 of 2. Leave the"),
        ("Signed 1 of 2. Leave the card", 24, "Signed 1 of 2. Leave the"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 8, "bc1qw508"),
        ("word", 0, "w"),
    ])
    func noWordIsBroken(_ line: String, _ room: Int, _ shown: String) {
        #expect(Console.shortened(line, to: room) == shown)
    }
}
