import Bitcoin
import ByteCodec

@testable import TapKitService

/// What a program sends to the service: the first byte says how the stream is cut into pieces, the rest is the stream.
enum ServiceTarget: FuzzTarget {
    static let name = "service"
    static let maximumLength = 2_048

    private static let limits: ServiceLimits = {
        var limits = ServiceLimits()
        (limits.lineLength, limits.depth, limits.valueCount, limits.batchSize) = (512, 8, 64, 4)
        return limits
    }()

    static func run(_ bytes: [UInt8]) throws {
        guard let piece = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        let lines = lines(of: stream, inPiecesOf: stream.count)
        expectSame(Self.lines(of: stream, inPiecesOf: Int(piece) + 1), lines, "it does not matter how a stream is cut")
        for case .whole(let line) in lines {
            expect(line.count <= limits.lineLength, "a line is not too long")
            checkMessages(RPCLine(line, within: limits))
            checkSecret(line)
        }
    }

    private static func lines(of stream: [UInt8], inPiecesOf size: Int) -> [LineReader.Line] {
        var reader = LineReader(longest: limits.lineLength)
        var lines: [LineReader.Line] = []
        for start in stride(from: 0, to: stream.count, by: max(size, 1)) {
            stream[start..<min(start + max(size, 1), stream.count)].withUnsafeBytes { reader.append($0) }
            while let line = reader.next() { lines.append(line) }
        }
        return lines
    }

    private static func checkMessages(_ line: RPCLine) {
        switch line {
        case .fault: return
        case .single(let message): check(message)
        case .batch(let messages):
            expect((1...limits.batchSize).contains(messages.count), "a batch is not too large")
            for message in messages { check(message) }
        }
    }

    /// What was understood is understood in the same way when it is written again.
    private static func check(_ message: RPCMessage) {
        guard case .call(let call) = message, let id = call.id else { return }
        let arguments: JSONValue =
            switch call.arguments {
            case .positional(let values): .array(values)
            case .named(let values): .object(values)
            }
        let text = RPCText.question(id, call.method, JSONText(arguments)).framed.dropLast()
        guard text.count <= limits.lineLength else { return }
        guard case .single(.call(let again)) = RPCLine(Array(text), within: limits) else {
            return expect(false, "a call that is written again is a call")
        }
        expectSame(again, call, "a call that is written again is the same call")
    }

    /// A secret is out of the line before the line is read, and the line is otherwise the same.
    private static func checkSecret(_ line: [UInt8]) {
        var rest = line
        let secret = SecretAnswer.take(from: &rest)
        expectSame(rest.count, line.count, "a line keeps its length")
        guard let secret else { return expectSame(rest, line, "a line without a secret stays as it is") }
        let zeros = secret.withBytes { [UInt8](repeating: UInt8(ascii: "0"), count: $0.count) }
        expect(rest.firstRange(of: zeros) != nil, "zeros are in its place")
        guard case .single(.answer(let answer)) = RPCLine(line, within: limits),
            case .single(.answer(let blank)) = RPCLine(rest, within: limits),
            case .string(let text)? = answer.result, !line.contains(UInt8(ascii: "\\")), isOnce(line)
        else { return }
        secret.withBytes { expectSame(Array($0), Array(text.utf8), "the secret is the answer") }
        expectSame(blank.result, .string(String(decoding: zeros, as: UTF8.self)), "the answer that is read has none")
    }

    private static func isOnce(_ line: [UInt8]) -> Bool {
        let key = Array("\"result\"".utf8)
        guard let first = line.firstRange(of: key) else { return false }
        return line[first.upperBound...].firstRange(of: key) == nil
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        [
            #"{"jsonrpc":"2.0","id":1,"method":"version"}"#,
            #"{"jsonrpc":"2.0","id":"a","method":"sign","params":{"psbt":"cHNidP8=","wait_s":5}}"#,
            #"[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":null,"method":"y","params":[1,true,null]}]"#,
            #"{"jsonrpc":"2.0","id":3,"result":"123456"}"#, #"{"jsonrpc":"2.0", "result" : "00112233" , "id":4}"#,
            #"{"jsonrpc":"2.0","id":5,"result":{"accept":["fee_high"]}}"#,
            #"{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"no"}}"#, "[[[[[[[[[[", "{\"a\":1",
        ].map { [7] + Array(($0 + "\n").utf8) }
    }
}
