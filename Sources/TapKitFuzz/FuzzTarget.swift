/// Something that reads what others wrote, and what must be true of it whatever they wrote.
protocol FuzzTarget: Sendable {
    /// The target's name: of its corpus below `Tests/FuzzCorpus`, and on the command line.
    static var name: String { get }

    /// The most bytes that are tried: few enough that a search is quick, enough for everything that is read.
    static var maximumLength: Int { get }

    /// Tries bytes. What must be true is expected with `expect`; an error means that the bytes were refused, as is right.
    static func run(_ bytes: [UInt8]) throws

    /// What a search starts with: made from the published vectors, or by the libraries themselves.
    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]]
}

extension FuzzTarget {
    static var maximumLength: Int { 4_096 }
}

/// Every target there is.
enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        TransactionTarget.self, PSBTTarget.self, PlanTarget.self, ScriptTarget.self, DescriptorTarget.self,
        TextTarget.self, PaymentURITarget.self, CBORTarget.self, AnswersTarget.self, LinkTarget.self, QRTarget.self,
        JSONTarget.self, ChainTarget.self, LabelTarget.self, BSMSTarget.self, BackupTarget.self, JournalTarget.self,
        CardFileTarget.self, PinentryTarget.self,
    ]

    static subscript(name: String) -> (any FuzzTarget.Type)? { all.first { $0.name == name } }
}
