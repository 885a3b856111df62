import Bitcoin
import TapManager
import TapProtocol

extension CardAtHand {
    /// A card's address for the network that was asked for: the test networks share their keys, and a card knows only
    /// whether it is for one of them.
    /// - Throws: `Failure.wrongNetwork` when the card is for bitcoin and a test network was asked for, or the reverse.
    func shown(_ address: Address, _ options: GlobalOptions) throws(Failure) -> Address {
        Address(scriptPubKey: address.scriptPubKey, network: try shownNetwork(options)) ?? address
    }

    /// The network that was asked for, or else the card's.
    func shownNetwork(_ options: GlobalOptions) throws(Failure) -> Network {
        guard let network = try options.network() else { return status.network }
        guard network.keyNetwork == status.keyNetwork else {
            let own = status.isTestnet ? "the test networks" : "bitcoin"
            throw Failure(.wrongNetwork, "The card is for \(own), not for \(network).")
        }
        return network
    }
}
