import Bitcoin
import ExplainedErrors

extension Address {
    /// An address that a client gives, for a network.
    /// - Throws: `AddressArgumentError`.
    init(argument text: String, on network: Network) throws(AddressArgumentError) {
        do { try self.init(parsing: text, network: network) } catch {
            let isOfOtherNetwork = if case .wrongNetwork = error { true } else { false }
            throw AddressArgumentError(code: isOfOtherNetwork ? .wrongNetwork : .badAddress, network: network)
        }
    }
}

/// A client gave something other than an address of the network.
struct AddressArgumentError: ExplainedError {
    let code: ErrorCode
    let network: Network

    var message: String { "This is not an address of \(network)." }
}
