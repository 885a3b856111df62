import TapManager

/// What the options come to where managers are composed.
extension GlobalOptions {
    /// The local store, not opened.
    func storeFolder() throws(Failure) -> StoreFolder { try StoreFolder.asked(dataFolderText) }

    /// What a manager works with.
    /// - Parameter asksChain: whether a chain server may be asked; else none is, whatever was named.
    func equipment(asksChain: Bool = false) throws(Failure) -> Equipment {
        Equipment(
            readers: [try readerSpec().backend], chain: asksChain ? try chainServers() : nil, patience: try waiting(),
            acceptedRoots: try customRoots(), isTracing: isTracing)
    }

    /// What was answered beforehand.
    func acceptance() throws(Failure) -> Acceptance {
        try Acceptance(isConfirmed: isConfirmed, accepting: acceptedTexts)
    }
}
