import Testing

@testable import FrontEndText

/// Answers for programs.
@Suite struct JSONTextTests {
    private struct Answer: Encodable {
        let rootKey: String
        let aPath: String?
        let count: [Int]
    }

    @Test func oneLineWithSortedKeysInSnakeCase() {
        let line = JSONText.line(Answer(rootKey: "a/b\n“c”", aPath: nil, count: [1, 2]))
        #expect(line == #"{"count":[1,2],"root_key":"a/b\n“c”"}"#)
    }
}
