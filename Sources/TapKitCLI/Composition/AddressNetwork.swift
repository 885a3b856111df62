import Bitcoin
import TapManager

extension CardAtHand {
    /// A card's address for the network that was asked for.
    /// - Throws: `Failure.wrongNetwork` when the card is for bitcoin and a test network was asked for, or the reverse.
    func shown(_ address: Address, _ options: GlobalOptions) throws(Failure) -> Address {
        let network = try options.network()
        do throws(CardSearchError) { return try self.address(address, on: network) } catch { throw Failure(error) }
    }

    /// The network that was asked for, or else the card's.
    /// - Throws: `Failure.wrongNetwork`.
    func shownNetwork(_ options: GlobalOptions) throws(Failure) -> Network {
        let asked = try options.network()
        do throws(CardSearchError) { return try network(asked: asked) } catch { throw Failure(error) }
    }
}
