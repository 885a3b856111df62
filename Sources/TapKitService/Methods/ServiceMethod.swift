import ByteCodec

/// What clients can ask for: a name, what it takes, and what it does.
protocol ServiceMethod: Sendable {
    static var name: String { get }
    /// What it does, for people.
    static var summary: String { get }
    /// In the order in which they are given by position; required ones first.
    static var parameters: [any ParameterDescription] { get }
    /// What it answers, for people.
    static var result: String { get }

    /// Whether a processor has it.
    static func isOffered(by processor: ServiceProcessor) -> Bool

    /// Reads what it was called with.
    /// - Throws: `RPCFault.invalidParams`.
    init(_ arguments: Arguments) throws

    /// Does it.
    func run(_ call: ServiceCall) async throws -> ServiceAnswer
}

extension ServiceMethod {
    static var parameters: [any ParameterDescription] { [] }
    static func isOffered(by processor: ServiceProcessor) -> Bool { true }
}
