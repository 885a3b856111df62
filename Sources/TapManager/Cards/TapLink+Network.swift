import Bitcoin
import TapProtocol

extension TapLink {
    /// A SATSCARD's address in the form of the requested network: test networks share their keys.
    /// - Parameter network: `nil`: the link's own.
    /// - Returns: `nil` for other cards.
    /// - Throws: `OtherNetwork`.
    package func address(on network: Network?) throws(OtherNetwork) -> Address? {
        guard let address, let network else { return address }
        let own = address.network.keyNetwork
        guard network.keyNetwork == own else { throw OtherNetwork(of: .link, own, asked: network) }
        return address.written(for: network)
    }
}
