/// `version`: what serves here.
struct VersionMethod: ServiceMethod {
    static let name = "version"
    static let summary = "The program's version."
    static let result = "version"

    private struct Document: Encodable { let version: String }

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) -> ServiceAnswer { ServiceAnswer(Document(version: call.processor.version)) }
}
