import Settings
import TapManager

/// The options, resolved for composing a manager.
extension GlobalOptions {
    /// The local store, not opened.
    func storeFolder() throws(Failure) -> StoreFolder {
        do { return try StoreFolder.asked(dataFolderText) } catch { throw Failure(error) }
    }

    /// A manager's equipment.
    /// - Parameter asksChain: whether a chain server may be used; otherwise none is, even if one was named.
    func equipment(asksChain: Bool = false) throws(Failure) -> Equipment {
        Equipment(
            readers: [try readerSpec().backend], chain: asksChain ? try chainServers() : nil, patience: try waiting(),
            acceptedRoots: try customRoots(), isTracing: isTracing)
    }

    /// The answers given in advance.
    func acceptance() throws(Failure) -> Acceptance {
        try Acceptance(isConfirmed: isConfirmed, accepting: acceptedTexts)
    }
}
