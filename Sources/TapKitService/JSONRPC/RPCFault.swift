import ByteCodec
import ExplainedErrors

/// The error of a call, as a client gets it.
///
/// Spec: JSON-RPC 2.0, "Error object".
package struct RPCFault: Error, Sendable {
    /// The numbers of errors: those of the specification, and two of its range for servers.
    package enum Number: Int, Sendable {
        /// The line is not JSON, or beyond a limit for it.
        case parseError = -32_700
        /// It is JSON, but not a call.
        case invalidRequest = -32_600
        /// There is no such method.
        case methodNotFound = -32_601
        /// The method does not take these parameters.
        case invalidParams = -32_602
        /// A bug.
        case internalError = -32_603
        /// The task failed; `data.code` says why, with the same words as the command's errors.
        case failed = -32_000
        /// Too much at once: the message names the limit.
        case limitReached = -32_001
    }

    /// What kind of error it is.
    package let number: Number
    /// What happened, in whole sentences.
    package let message: String
    /// What programs need to know beyond the number; `nil`: nothing.
    let data: JSONText?

    /// An error of the protocol.
    package init(_ number: Number, _ message: String) { (self.number, self.message, data) = (number, message, nil) }

    /// What made a task fail, as the command line reports it, without the command's own hints.
    package init(_ error: any Error) {
        if let fault = error as? RPCFault {
            self = fault
            return
        }
        if error is CancellationError {
            self.init(.failed, code: .interrupted, message: "Cancelled.", details: [], remedy: "")
            return
        }
        guard let error = error as? any ExplainedError else {
            // Its text is not meant for anybody.
            self.init(
                .internalError, code: .internalError, message: "This is a bug in tapkit.", details: [], remedy: "")
            return
        }
        self.init(.failed, code: error.code, message: error.message, details: error.details, remedy: error.remedy)
    }

    private init(_ number: Number, code: ErrorCode, message: String, details: [String], remedy: String) {
        (self.number, self.message) = (number, message)
        var members: [JSONText.Member] = [("code", .string(code.rawValue))]
        if !details.isEmpty { members.append(("details", .array(details.map { .string($0) }))) }
        if !remedy.isEmpty { members.append(("remedy", .string(remedy))) }
        data = .object(members)
    }

    var json: JSONText {
        var members: [JSONText.Member] = [("code", .number(number.rawValue)), ("message", .string(message))]
        if let data { members.append(("data", data)) }
        return .object(members)
    }
}
