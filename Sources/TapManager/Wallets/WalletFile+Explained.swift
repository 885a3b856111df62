import ByteCodec
import ExplainedErrors

extension WalletFile.Fault: CustomStringConvertible {
    /// What is wrong, for people. Includes text from the file.
    package var description: String {
        switch self {
        case .empty: "it has no descriptor"
        case .json: "it begins like JSON, but cannot be read as JSON"
        case .excess(let reason): "it has \(WalletFile.bounds.excess(reason) ?? "too much")"
        case .noDescriptor: "it has no descriptor where Liana, Nunchuk or Specter write it"
        case .accounts(let count): "the backup has \(count.counted("account")) instead of one"
        case .version(let version): "the backup is in version \(version) of its format, which is unknown"
        case .network(let name): "the backup is for an unknown network, “\(name)”"
        case .otherNetwork(let own, let asked): "it is for the network \(own), not for \(asked)"
        case .taproot: "it is a taproot wallet, and tap cards cannot sign for taproot"
        case .record(let fault): fault.description
        }
    }
}

extension WalletFile.Fault: ExplainedError {
    /// Not a wallet that can be watched, or one on another network.
    package var code: ErrorCode {
        if case .otherNetwork = self { .wrongNetwork } else { .badDescriptor }
    }

    /// What is wrong. Includes text from the file.
    package var message: String { "The wallet cannot be used: \(description)." }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .taproot: "Make the wallet with native segwit addresses (P2WSH) in the program that it comes from."
        case .record(let fault): fault.remedy
        case .otherNetwork: "Name the network of the file, or none."
        case .empty, .json, .excess, .noDescriptor, .accounts, .version, .network:
            "Export the descriptor from the program that the file comes from."
        }
    }

    /// The token or the network of a record.
    package var subject: ErrorSubject? { if case .record(let fault) = self { fault.subject } else { nil } }
}
