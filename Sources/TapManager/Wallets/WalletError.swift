import Bitcoin
import ChainData
import TapProtocol

/// What goes wrong with a wallet.
package enum WalletError: Error, Sendable, Equatable {
    /// There is no wallet of this name.
    case noSuchWallet(String)
    /// A wallet with this name exists.
    case walletExists(String)
    /// The name is empty, too long, or has characters that are not allowed.
    case badName(String)
    /// An invalid descriptor: its number among those given, from 1, and why.
    case descriptor(Int, DescriptorError)
    /// The wallet's descriptors are valid, but not used: what it calls change may belong to someone else.
    case unsound(String, WalletFault)
    /// A descriptor with a private key, which is not stored.
    case privateKeys(Int)
    /// A descriptor for the other kind of network.
    case otherNetwork(Int, wanted: Network)
    /// A key that is said to be a remembered card's at this path, where the card has proven another one; and the wallet.
    case falseKey(KeyOrigin, CardIdent, in: String? = nil)
    /// A wallet for the other kind of network than the requested one.
    case wrongNetwork(String, Network, asked: Network)
    /// Two of the cards for a new wallet have the same key.
    case sameKeys
    /// The same descriptor twice.
    case sameDescriptor(Int)
    /// No descriptor, or more than a wallet may have.
    case descriptorCount(limit: Int)
    /// No chain server has been asked about the wallet yet.
    case notSynchronized(String)
    /// The server reports coins worth more money than exists.
    case impossibleBalance
    /// The server reports more used addresses than a search covers.
    case tooManyAddresses(limit: Int)
    /// The descriptor has no address with this index.
    case noAddress(DescriptorError)
    /// The scripts of the wallet have no addresses.
    case noAddressForm
    /// A chain server failed.
    case chain(ChainError)
    /// The local store failed.
    case store(StoreError)
}
