import Bitcoin
import Testing

@testable import TapKitService

/// A CVC, or a backup key, is taken out of the line before anything reads it.
@Suite struct SecretAnswerTests {
    private func take(_ text: String) -> (secret: [UInt8]?, line: String) {
        var line = Array(text.utf8)
        let secret = SecretAnswer.take(from: &line)
        return (secret?.withBytes { Array($0) }, String(decoding: line, as: UTF8.self))
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"result":"123456"}"#, #"{"result" : "123456", "id":1,"jsonrpc":"2.0"}"#,
    ])
    func theDigitsAreGoneFromTheLine(_ text: String) {
        let (secret, line) = take(text)
        #expect(secret == Array("123456".utf8))
        #expect(line == text.replacing("123456", with: "000000"))
    }

    /// Nor does what was mistyped become a text: it may be all but one digit of a secret.
    @Test(arguments: [
        "00112233445566778899aabbccddeeff", "0011 2233-4455 6677 8899 AABB CCDD EEFF", "12a456", #"12\"4\\56"#, "é12",
    ])
    func anyTextIsASecret(_ text: String) {
        let (secret, line) = take(#"{"jsonrpc":"2.0","id":1,"result":"\#(text)"}"#)
        #expect(secret == Array(text.utf8))
        let zeros = String(repeating: "0", count: text.utf8.count)
        #expect(line == #"{"jsonrpc":"2.0","id":1,"result":"\#(zeros)"}"#)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"result":true}"#, #"{"jsonrpc":"2.0","id":1,"result":{"accept":["123456"]}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":""}"#, #"{"jsonrpc":"2.0","id":1,"result":"123456"#,
        #"{"jsonrpc":"2.0","id":1,"result":"123456\"}"#, #"{"jsonrpc":"2.0","id":1,"result":"123456\"#,
        #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"result":"123456"}}"#, #"{"result":"#, "",
    ])
    func anythingElseStaysAsItIs(_ text: String) {
        let (secret, line) = take(text)
        #expect(secret == nil && line == text)
    }
}
