import Bitcoin
import ChainData

/// What goes wrong with a wallet.
package enum WalletError: Error, Sendable, Equatable {
    /// There is no wallet of this name.
    case noSuchWallet(String)
    /// There is a wallet of this name.
    case walletExists(String)
    /// The name is empty, too long, or has characters that no name should have.
    case badName(String)
    /// A descriptor that is none: its number among those given, from 1, and why.
    case descriptor(Int, DescriptorError)
    /// The descriptors of this wallet can be read, and are not used: what it calls change may be somebody else's.
    case unsound(String, WalletFault)
    /// A descriptor with a private key, which is not kept.
    case privateKeys(Int)
    /// A descriptor for the other family of networks.
    case otherNetwork(Int, wanted: Network)
    /// A wallet for the other family of networks than the one that was asked for.
    case wrongNetwork(String, Network, asked: Network)
    /// Two of the cards that a wallet was to be made of have the same key.
    case sameKeys
    /// The same descriptor twice.
    case sameDescriptor(Int)
    /// No descriptor, or more than a wallet may have.
    case descriptorCount(limit: Int)
    /// No chain server was asked about the wallet yet.
    case notSynchronized(String)
    /// The server tells of coins that are more money than there is.
    case impossibleBalance
    /// The server says that more addresses are used than a wallet is looked through for.
    case tooManyAddresses(limit: Int)
    /// The descriptor has no address of this number.
    case noAddress(DescriptorError)
    /// The scripts of the wallet have no addresses.
    case noAddressForm
    /// A chain server failed.
    case chain(ChainError)
    /// The local store failed.
    case store(StoreError)
}
