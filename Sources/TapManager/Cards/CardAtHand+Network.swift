import Bitcoin
import TapProtocol

/// The network that a card is used on: the test networks share their keys, and a card knows only whether it is for one of them.
extension CardAtHand {
    /// The network that was asked for, or else the card's.
    /// - Throws: `CardSearchError.wrongNetwork` when the card is for bitcoin and a test network was asked for, or the reverse.
    package func network(asked: Network?) throws(CardSearchError) -> Network {
        guard let asked else { return status.network }
        guard asked.keyNetwork == status.keyNetwork else { throw .wrongNetwork(self, asked: asked) }
        return asked
    }

    /// One of the card's addresses as the network writes it that was asked for.
    /// - Parameter network: `nil`: the card's own.
    /// - Throws: `CardSearchError.wrongNetwork`.
    package func address(_ address: Address, on network: Network?) throws(CardSearchError) -> Address {
        address.written(for: try self.network(asked: network))
    }
}

extension Address {
    /// The same address as another network writes it.
    func written(for network: Network) -> Address { Address(scriptPubKey: scriptPubKey, network: network) ?? self }
}
