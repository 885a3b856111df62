import Bitcoin
import ByteCodec

/// What a method was called with, by the names of its parameters.
struct Arguments: Sendable {
    private let values: [String: JSONValue]
    /// What the caller may do beyond what every program may.
    let trust: ClientTrust
    /// The network of a call that names none; `nil`: what the card, the wallet or the transaction says.
    let usualNetwork: Network?

    /// - Throws: `RPCFault.invalidParams` for one that the method does not have.
    init(
        _ given: RPCCall.Arguments, for parameters: [any ParameterDescription], of trust: ClientTrust,
        usually network: Network?
    ) throws(RPCFault) {
        (self.trust, usualNetwork) = (trust, network)
        switch given {
        case .positional(let values):
            guard values.count <= parameters.count else {
                throw RPCFault(
                    .invalidParams, "The method has \(parameters.count) parameters; \(values.count) were given.")
            }
            self.values = Dictionary(zip(parameters.map(\.name), values), uniquingKeysWith: { first, _ in first })
        case .named(let values):
            let names = Set(parameters.map(\.name))
            if let other = values.keys.sorted().first(where: { !names.contains($0) }) {
                throw RPCFault(.invalidParams, "The method has no parameter \(JSONText.string(other).line).")
            }
            self.values = values
        }
    }

    /// - Returns: `nil` if it was left out, or is null.
    /// - Throws: `RPCFault.invalidParams` for a value of another type.
    func optional<Value>(_ parameter: Parameter<Value>) throws(RPCFault) -> Value? {
        guard let given = values[parameter.name], !given.isNull else { return nil }
        guard let value = parameter.read(given) else {
            throw RPCFault(.invalidParams, "The parameter \(parameter.name) must be \(parameter.expectation).")
        }
        return value
    }

    /// - Throws: `RPCFault.invalidParams` also if it was left out.
    func required<Value>(_ parameter: Parameter<Value>) throws(RPCFault) -> Value {
        guard let value = try optional(parameter) else {
            throw RPCFault(.invalidParams, "The parameter \(parameter.name) is missing: \(parameter.expectation).")
        }
        return value
    }
}
