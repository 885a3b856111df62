import Bitcoin

/// A summary of a chain server's answer about a wallet.
public struct WalletSynchronization: Sendable, Hashable {
    /// The server's network.
    package let network: Network
    /// The server's name.
    public let server: String
    /// The chain's height at that time.
    public let height: Int
    /// When it was asked.
    public let time: UnixTime
    /// Whether the server also reports what was spent.
    package let hasHistory: Bool
    /// The confirmed balance, according to the server; `nil` if it cannot be true: more money than there is, or a spend
    /// without a valid signature.
    public let confirmed: Amount?
    /// Whether the server looked for transactions that wait for a block.
    package let knowsUnconfirmed: Bool
    /// The unconfirmed balance, likewise; also `nil` if the server reported none because it did not look for any.
    public let unconfirmed: Amount?

    /// Proves the spends of an answer if they are not proven yet.
    init(_ chain: WalletChain) {
        network = chain.network
        server = chain.server
        height = chain.height
        time = chain.time
        hasHistory = chain.hasHistory
        let proven = try? chain.proven()
        confirmed = proven?.balance(isConfirmed: true)
        knowsUnconfirmed = chain.knowsUnconfirmed
        unconfirmed = chain.knowsUnconfirmed ? proven?.balance(isConfirmed: false) : nil
    }
}
