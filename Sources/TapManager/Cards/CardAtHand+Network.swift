import Bitcoin
import TapProtocol

/// The network that a card is used on. Test networks share their keys; a card only knows whether it is for one of them.
extension CardAtHand {
    /// The requested network, or else the card's.
    /// - Throws: `CardSearchError.wrongNetwork` if the card is for bitcoin and a test network was requested, or the
    ///   reverse.
    package func network(asked: Network?) throws(CardSearchError) -> Network {
        guard let asked else { return status.network }
        guard asked.keyNetwork == status.keyNetwork else { throw .wrongNetwork(self, asked: asked) }
        return asked
    }

    /// One of the card's addresses in the form of the requested network.
    /// - Parameter network: `nil`: the card's own.
    /// - Throws: `CardSearchError.wrongNetwork`.
    package func address(_ address: Address, on network: Network?) throws(CardSearchError) -> Address {
        address.written(for: try self.network(asked: network))
    }
}

extension Address {
    /// The same address in another network's form.
    func written(for network: Network) -> Address { Address(scriptPubKey: scriptPubKey, network: network) ?? self }
}
