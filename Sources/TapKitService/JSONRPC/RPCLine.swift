import ByteCodec

/// What a line holds: one message, or a batch of them.
///
/// Spec: JSON-RPC 2.0, "Batch".
package enum RPCLine: Sendable {
    case single(RPCMessage)
    /// At least one; the answers are sent together.
    case batch([RPCMessage])
    /// Nothing that can be carried out.
    case fault(RPCFault)

    /// Reads one JSON text, which is bounded before it is read.
    package init(_ bytes: [UInt8], within limits: ServiceLimits) {
        let bounds = JSONBounds(length: limits.lineLength, depth: limits.depth, valueCount: limits.valueCount)
        do throws(JSONFault) {
            let value = try JSONReader.value(bytes, within: bounds)
            guard case .array(let values) = value else {
                self = .single(RPCMessage(value))
                return
            }
            if values.isEmpty {
                self = .fault(RPCFault(.invalidRequest, "A batch has at least one message."))
            } else if values.count > limits.batchSize {
                self = .fault(
                    RPCFault(.limitReached, "A batch has at most \(limits.batchSize) messages; this one has more."))
            } else {
                self = .batch(values.map { RPCMessage($0) })
            }
        } catch { self = .fault(RPCFault(error, bounds)) }
    }
}

extension RPCFault {
    /// Why a line is not read.
    init(_ fault: JSONFault, _ bounds: JSONBounds) {
        let reason =
            switch fault.reason {
            case .syntax, .noObject: "This is not JSON (RFC 8259, in UTF-8), from byte \(fault.offset)."
            case .length: "A line has at most \(bounds.length) bytes."
            case .depth: "JSON may be nested \(bounds.depth) levels deep; this line is deeper."
            case .valueCount: "A line has at most \(bounds.valueCount) values; this one has more."
            case .keyLength: "A key has at most \(bounds.keyLength) bytes; one is longer."
            case .endlessLetter:
                "A character has at most \(Character.maximumMarkCount) combining marks; the text from byte "
                    + "\(fault.offset) has one with more."
            case .repeatedKey: "An object has the same key twice, before byte \(fault.offset)."
            }
        self.init(.parseError, reason)
    }

    /// A line that is longer than the limit, and was not kept.
    static func tooLong(_ limits: ServiceLimits) -> RPCFault {
        RPCFault(JSONFault(.length, at: limits.lineLength), JSONBounds(length: limits.lineLength))
    }
}
