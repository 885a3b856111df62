/// `doctor`: what keeps cards from being used. Who looks at the machine is given by the program.
struct DoctorMethod: ServiceMethod {
    static let name = "doctor"
    static let summary = "What stands between you and a card on the reader, with evidence and remedy."
    static let result = "findings and usable, as tapkit doctor --json."

    static func isOffered(by processor: ServiceProcessor) -> Bool { processor.doctor != nil }

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        guard let doctor = call.processor.doctor else { throw MethodList.unknown }
        return try await doctor()
    }
}
