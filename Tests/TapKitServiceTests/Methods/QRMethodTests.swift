import ByteCodec
import ExplainedErrors
import TapKitService
import Testing

/// A text as modules to be drawn.
@Suite struct QRMethodTests {
    /// No code holds it.
    private struct TooLong: ExplainedError {
        let code = ErrorCode.inputTooLarge
        let message = "It does not fit."
    }

    private func bench() throws -> ServiceBench {
        try ServiceBench(qrCode: { text in
            guard text.utf8.count < 100 else { throw TooLong() }
            return QRMatrix(size: 3) { column, row in column == row || text == "ALL" }
        })
    }

    @Test func theModulesAreRowsOfOnesAndZeros() async throws {
        let client = try await bench().client()
        let code = try await client.call("qr", #"{"text":"X"}"#)
        #expect(code["size"] == .integer(3))
        #expect(code["rows"] == .array(["100", "010", "001"].map { .string($0) }))
        #expect(try await client.call("qr", #"["ALL"]"#)["rows"]?.array?.first == .string("111"))
    }

    @Test func whatDoesNotFitIsRefused() async throws {
        let client = try await bench().client()
        func failure(_ count: Int) async throws -> JSONValue {
            try await client.failure("qr", #"{"text":"\#(String(repeating: "1", count: count))"}"#)
        }
        #expect(try await failure(5_596)["data"]?["code"] == .string("input_too_large"))
        // Longer than any code: nobody is asked to make one.
        #expect(try await failure(5_597)["code"] == .integer(-32_602))
    }

    @Test func withoutAMakerThereIsNoMethod() async throws {
        let client = try await ServiceBench().client()
        #expect(try await client.failure("qr", #"{"text":"X"}"#)["code"] == .integer(-32_601))
    }
}
