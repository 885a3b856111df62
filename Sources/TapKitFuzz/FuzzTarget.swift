/// Something that parses untrusted input, with the properties that must hold for any input.
///
/// A transaction has one accepted encoding. Of CBOR, JSON, descriptors, payment URIs, labels, links, BSMS records and QR
/// texts, other programs write several: those are accepted on purpose, and what is written here is written in one way.
protocol FuzzTarget: Sendable {
    /// The target's name, on the command line and for its corpus below `Tests/FuzzCorpus`.
    static var name: String { get }

    /// The most bytes per input: few enough for a quick search, enough for everything that is parsed.
    static var maximumLength: Int { get }

    /// Tries an input. Properties are checked with `expect`; an error means that the input was rejected, which is fine.
    static func run(_ bytes: [UInt8]) throws

    /// What a search starts with: made from the published vectors, or by the libraries themselves.
    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]]
}

extension FuzzTarget {
    static var maximumLength: Int { 4_096 }
}

/// All targets.
enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        TransactionTarget.self, PSBTTarget.self, PlanTarget.self, ScriptTarget.self, DescriptorTarget.self,
        TextTarget.self, PaymentURITarget.self, CBORTarget.self, AnswersTarget.self, LinkTarget.self, QRTarget.self,
        JSONTarget.self, ChainTarget.self, LabelTarget.self, BSMSTarget.self, BackupTarget.self, JournalTarget.self,
        CardFileTarget.self, PinentryTarget.self, ServiceTarget.self, MiniscriptTarget.self, RegistrationTarget.self,
    ]

    static subscript(name: String) -> (any FuzzTarget.Type)? { all.first { $0.name == name } }
}
