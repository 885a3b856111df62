import Testing

@testable import TapProtocol

@Suite struct CVCTests {
    @Test(arguments: [6, 7, 31, 32])
    func takesDigits(count: Int) throws {
        let cvc = try CVC(String(repeating: "7", count: count))
        #expect(cvc.digits.count == count)
        #expect(cvc.isEqual(to: try CVC(String(repeating: "7", count: count))))
        #expect(!cvc.isEqual(to: try CVC(String(repeating: "8", count: count))))
    }

    @Test(arguments: [0, 1, 5, 33, 1_000])
    func refusesOtherLengths(count: Int) {
        #expect(throws: TapError.invalidCVC(.length(count))) { try CVC(String(repeating: "7", count: count)) }
    }

    @Test(arguments: ["12345a", "abc", "abc", " 123456", "123456\n", "12345\u{0}", "-12345", "１２３４"])
    func refusesOtherCharacters(text: String) {
        #expect(throws: TapError.invalidCVC(.notADigit)) { try CVC(text) }
    }

    @Test func showsNothing() throws {
        let cvc = try CVC("424242")
        var dumped = ""
        dump(cvc, to: &dumped)
        #expect("\(cvc)" == "<CVC>" && String(reflecting: cvc) == "<CVC>")
        #expect(!dumped.contains("42"))
        let error = try tapError { try CVC("4242424242424242424242424242424242") }
        #expect(error.code == .badCVC && !"\(error)".contains("42") && error.message.contains("34"))
    }
}
