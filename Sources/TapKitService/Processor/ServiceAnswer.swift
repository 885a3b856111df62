import ByteCodec
import TapManager

/// What a method answers: a JSON document, the same one that the command answers with `--json` where there is one.
package struct ServiceAnswer: Sendable {
    /// What begins once the answer is sent.
    typealias Continuation = @Sendable (ServiceClient) -> Void

    let json: JSONText
    let then: Continuation?

    /// A document: keys in snake case, `nil` left out.
    package init(_ document: some Encodable) { self.init(json: .verbatim(JSONDocument.answer(document))) }

    init(json: JSONText, then: Continuation? = nil) { (self.json, self.then) = (json, then) }
}
