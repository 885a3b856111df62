import Bitcoin

/// What a chain server said about a wallet, in short.
public struct WalletSynchronization: Sendable, Hashable {
    /// The network that the server was on.
    package let network: Network
    /// The server's name.
    public let server: String
    /// The height of the chain then.
    public let height: Int
    /// When it was asked.
    public let time: UnixTime
    /// Whether the server tells what was spent, too.
    package let hasHistory: Bool
    /// What is unspent and confirmed, says the server; `nil` when it cannot be true: more money than there is, or a spend that
    /// nobody signed.
    public let confirmed: Amount?
    /// The same, unconfirmed.
    public let unconfirmed: Amount?

    /// Of an answer whose spends were not proven yet, they are proven now.
    init(_ chain: WalletChain) {
        network = chain.network
        server = chain.server
        height = chain.height
        time = chain.time
        hasHistory = chain.hasHistory
        let proven = try? chain.proven()
        confirmed = proven?.balance(isConfirmed: true)
        unconfirmed = proven?.balance(isConfirmed: false)
    }
}
