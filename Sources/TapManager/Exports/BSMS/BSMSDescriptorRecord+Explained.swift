import ExplainedErrors

extension BSMSDescriptorRecord.Fault: CustomStringConvertible {
    /// What is wrong, for people. Includes text from the record.
    package var description: String {
        switch self {
        case .notOpened: "the record cannot be decrypted with this token, or was altered"
        case .version: "it is not a descriptor record of BSMS 1.0"
        case .lines(let count): "a descriptor record has four lines, not \(count)"
        case .restrictions(let text): "the path restrictions and the template do not match: \(text)"
        case .tooManyPaths: "there are more than \(BSMSDescriptorRecord.maximumPathCount) path restrictions"
        case .pathTooDeep: "a path restriction has more than \(BSMSDescriptorRecord.maximumPathDepth) steps"
        case .tooManyMarks: "more than \(BSMSDescriptorRecord.maximumMarkCount) keys of the template end in /**"
        case .descriptor(let error): "the descriptor cannot be read: \(error)"
        case .address(let text): "the first address is not valid on this network: \(text)"
        case .otherAddress(let expected):
            "the wallet's first address is \(expected), not the one in the record; one of the two was changed"
        }
    }
}

extension BSMSDescriptorRecord.Fault: ExplainedError {
    /// Not a record of a wallet that can be watched.
    package var code: ErrorCode { .badDescriptor }

    /// What is wrong. Includes text from the record.
    package var message: String { "The record cannot be used: \(description)." }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .notOpened: "Ask the coordinator for record and token again."
        case .version: "An encrypted record needs its token."
        case .address: "Choose the wallet's network."
        case .otherAddress: "Do not use this wallet until everyone has the same record."
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
