import ByteCodec
import TapKitService
import Testing

/// Lines as the specification has them, and beyond each limit.
@Suite struct RPCLineTests {
    private func line(_ text: String, _ limits: ServiceLimits = ServiceLimits()) -> RPCLine {
        RPCLine(Array(text.utf8), within: limits)
    }

    private func call(_ text: String) throws -> RPCCall {
        guard case .single(.call(let call)) = line(text) else { throw NoCall() }
        return call
    }

    private struct NoCall: Error {}

    private func fault(_ text: String, _ limits: ServiceLimits = ServiceLimits()) -> RPCFault? {
        switch line(text, limits) {
        case .fault(let fault): fault
        case .single(.invalid(let fault, _)): fault
        default: nil
        }
    }

    /// Spec: JSON-RPC 2.0, "Examples".
    @Test func readsTheSpecificationsCalls() throws {
        let positional = try call(#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#)
        #expect(positional.method == "subtract" && positional.id == .number(1))
        #expect(positional.arguments == .positional([.integer(42), .integer(23)]))
        let named = try call(
            #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#)
        #expect(named.arguments == .named(["subtrahend": .integer(23), "minuend": .integer(42)]))
        let notification = try call(#"{"jsonrpc": "2.0", "method": "foobar"}"#)
        #expect(notification.id == nil && notification.arguments == .named([:]))
        #expect(try call(#"{"jsonrpc": "2.0", "method": "a", "id": "9"}"#).id == .string("9"))
        #expect(try call(#"{"jsonrpc": "2.0", "method": "a", "id": null}"#).id == .null)
    }

    /// Spec: JSON-RPC 2.0, "Examples".
    @Test(arguments: [
        (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, RPCFault.Number.parseError),
        (
            #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]"#,
            .parseError
        ),
        (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, .invalidRequest), ("[]", .invalidRequest),
        (#"{"jsonrpc": "1.0", "method": "a", "id": 1}"#, .invalidRequest),
        (#"{"method": "a", "id": 1}"#, .invalidRequest),
        (#"{"jsonrpc": "2.0", "method": "a", "params": 3, "id": 1}"#, .invalidRequest),
        (#"{"jsonrpc": "2.0", "method": "a", "id": 1.5}"#, .invalidRequest),
        (#"{"jsonrpc": "2.0", "method": "a", "id": [1]}"#, .invalidRequest),
        (#"{"jsonrpc": "2.0", "method": "a", "id": 1, "parms": {}}"#, .invalidRequest), ("3", .invalidRequest),
        (#"{"jsonrpc": "2.0", "id": 1}"#, .invalidRequest), ("", .parseError),
        (#"{"jsonrpc": "2.0", "method": "a", "method": "b"}"#, .parseError),
        (#"{"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}}"#, .invalidRequest),
    ])
    func refusesWhatIsNoCall(_ text: String, _ number: RPCFault.Number) {
        #expect(fault(text)?.number == number, "\(text)")
    }

    /// Spec: JSON-RPC 2.0, "Examples", "rpc call with invalid Batch".
    @Test func eachMessageOfABatchIsOneOfItsOwn() {
        guard case .batch(let messages) = line("[1,2,3]") else {
            Issue.record("no batch")
            return
        }
        #expect(messages.count == 3)
        #expect(
            messages.allSatisfy {
                if case .invalid(let fault, .null) = $0 { fault.number == .invalidRequest } else { false }
            })
    }

    @Test func keepsTheIdentifierOfWhatIsInvalid() {
        guard case .single(.invalid(_, let id)) = line(#"{"jsonrpc": "2.0", "method": 1, "id": 7}"#) else {
            Issue.record("it is valid")
            return
        }
        #expect(id == .number(7))
    }

    /// Each error names the limit that it reached.
    @Test func everyLimitHoldsAndIsNamed() {
        var limits = ServiceLimits()
        (limits.lineLength, limits.depth, limits.valueCount, limits.batchSize) = (200, 5, 20, 3)
        let call = #"{"jsonrpc":"2.0","method":"a","id":1}"#
        #expect(fault(call, limits) == nil)
        let long = #"{"jsonrpc":"2.0","method":"\#(String(repeating: "a", count: 200))"}"#
        #expect(fault(long, limits)?.message == "A line has at most 200 bytes.")
        let deep = #"{"jsonrpc":"2.0","method":"a","params":[[[[[[]]]]]]}"#
        #expect(fault(deep, limits)?.message == "JSON may be nested 5 levels deep; this line is deeper.")
        let many =
            #"{"jsonrpc":"2.0","method":"a","params":[\#(Array(repeating: "1", count: 30).joined(separator: ","))]}"#
        #expect(fault(many, limits)?.message == "A line has at most 20 values; this one has more.")
        #expect(
            fault("[1,2,3,4]", limits)?.message == "A batch has at most 3 messages; this one has more.")
        if case .batch(let messages) = line("[1,2,3]", limits) {
            #expect(messages.count == 3)
        } else {
            Issue.record("no batch")
        }
    }
}
