import ByteCodec

/// `cancel`: ends a call of the same client.
struct CancelMethod: ServiceMethod {
    static let name = "cancel"
    static let summary =
        "End one of your calls at the next point where nothing is lost, as Ctrl-C does; it answers interrupted."
    static let result = "cancelled: whether there was such a call."
    private static let call = Parameter<RPCIdentifier>(
        name: "call", summary: "The call's id.", isRequired: true,
        schema: .object([("type", .array([.string("string"), .string("integer")]))]),
        expectation: "the id of a call", read: { RPCIdentifier($0) })
    static let parameters: [any ParameterDescription] = [call]

    private struct Document: Encodable { let cancelled: Bool }

    private let id: RPCIdentifier

    init(_ arguments: Arguments) throws { id = try arguments.required(Self.call) }

    func run(_ call: ServiceCall) -> ServiceAnswer {
        ServiceAnswer(Document(cancelled: id != call.id && call.client.cancel(id)))
    }
}
