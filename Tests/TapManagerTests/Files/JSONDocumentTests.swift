import Testing

@testable import TapManager

/// What front ends answer to programs.
@Suite struct JSONDocumentTests {
    private struct Answer: Encodable {
        let rootKey: String
        let aPath: String?
        let count: [Int]
    }

    @Test func oneLineWithSortedKeysInSnakeCase() {
        let line = JSONDocument.answer(Answer(rootKey: "a/b\n“c”", aPath: nil, count: [1, 2]))
        #expect(line == #"{"count":[1,2],"root_key":"a/b\n“c”"}"#)
    }
}
