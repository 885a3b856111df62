import ByteCodec

/// `rpc.discover`: the description of all methods.
///
/// Spec: OpenRPC 1.3.2.
struct DiscoverMethod: ServiceMethod {
    static let name = "rpc.discover"
    static let summary = "This description."
    static let result = "An OpenRPC document."

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) -> ServiceAnswer {
        ServiceAnswer(
            json: .object([
                ("openrpc", .string("1.3.2")),
                (
                    "info",
                    .object([
                        ("title", .string("tapkit")), ("version", .string(call.processor.version)),
                        ("description", .string(Self.description)),
                    ])
                ),
                ("methods", .array(MethodList.offered(by: call.processor).map(Self.description))),
            ]))
    }

    private static let description =
        "Cards, wallets, transactions and signatures. Amounts are whole numbers of satoshis. Documents have the members "
        + "of the command's answers with --json. A failed task has the error code -32000, and the command's code in "
        + "data.code. While a call runs, the client is sent notice and progress, and event for a subscription."

    private static func description(of method: any ServiceMethod.Type) -> JSONText {
        .object([
            ("name", .string(method.name)), ("summary", .string(method.summary)),
            ("paramStructure", .string("either")),
            (
                "params",
                .array(
                    method.parameters.map { parameter in
                        .object([
                            ("name", .string(parameter.name)), ("summary", .string(parameter.summary)),
                            ("required", .bool(parameter.isRequired)), ("schema", parameter.schema),
                        ])
                    })
            ),
            (
                "result",
                .object([
                    ("name", .string("answer")), ("summary", .string(method.result)),
                    ("schema", .object([("type", .string("object"))])),
                ])
            ),
        ])
    }
}
