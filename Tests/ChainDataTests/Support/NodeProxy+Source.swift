import TestSupport

@testable import ChainData

extension NodeProxy {
    /// A source that asks the node through it.
    /// - Parameters:
    ///   - wallet: the wallet that is asked; `nil`: none.
    func source(
        _ settings: ChainSettings = .forTests(retries: 0), wallet: String? = nil
    ) throws -> any ChainSource {
        try ChainServer(parsing: coreServer(wallet: wallet)).open(network: .regtest, settings: settings)
    }

    /// A source with user and password in the address, or none; `suffix` is what follows a question mark.
    func source(credentials: String, suffix: String = "") throws -> any ChainSource {
        try ChainServer(parsing: "core:http://\(credentials)127.0.0.1:\(port)\(suffix)")
            .open(network: .regtest, settings: .forTests(retries: 0))
    }
}
