import ExplainedErrors

extension BSMSDescriptorRecord.Fault: CustomStringConvertible {
    /// What is wrong, for people. Holds text of the record.
    package var description: String {
        switch self {
        case .notOpened: "the record does not open with this token, or was altered"
        case .version: "no descriptor record of BSMS 1.0"
        case .lines(let count): "a descriptor record has four lines, not \(count)"
        case .restrictions(let text): "the path restrictions and the template do not go together: \(text)"
        case .tooManyPaths: "there are more than \(BSMSDescriptorRecord.maximumPathCount) path restrictions"
        case .pathTooDeep: "a path restriction has more than \(BSMSDescriptorRecord.maximumPathDepth) steps"
        case .tooManyMarks: "more than \(BSMSDescriptorRecord.maximumMarkCount) keys of the template end in /**"
        case .descriptor(let error): "the descriptor cannot be read: \(error)"
        case .address(let text): "the first address is none of the network: \(text)"
        case .otherAddress(let expected):
            "the wallet's first address is \(expected), and not what the record says: one of the two was changed"
        }
    }
}

extension BSMSDescriptorRecord.Fault: ExplainedError {
    /// Not a record of a wallet that can be watched.
    package var code: ErrorCode { .badDescriptor }

    /// What is wrong. Holds text of the record.
    package var message: String { "The record cannot be used: \(description)." }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .notOpened: "Ask the coordinator for both again."
        case .version: "An encrypted record needs its token."
        case .address: "Use the network that the wallet is for."
        case .otherAddress: "Do not use this wallet before everybody has the same record."
        default: "Ask the coordinator for the record again."
        }
    }

    /// The token or the network.
    package var subject: ErrorSubject? {
        switch self {
        case .version: .choice(.recordToken)
        case .address: .choice(.network)
        default: nil
        }
    }
}
