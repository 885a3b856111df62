import Settings
import TapManager

/// The options, resolved for composing a manager.
extension GlobalOptions {
    /// The local store, not opened.
    func storeFolder() throws(Failure) -> StoreFolder {
        do { return try StoreFolder.asked(dataFolderText) } catch { throw Failure(error) }
    }

    /// A manager's equipment.
    /// - Parameters:
    ///   - listsReaders: whether all readers worth listing are used when none was requested, not only the usual ones.
    ///   - asksChain: whether a chain server may be used; otherwise none is, even if one was named.
    func equipment(listsReaders: Bool, asksChain: Bool) throws(Failure) -> Equipment {
        let named = try namedReaderSpec()
        return Equipment(
            readers: named == nil && listsReaders ? ReaderSpec.every : [(named ?? .usual).backend],
            chain: asksChain ? try chainServers() : nil, patience: try waiting(), acceptedRoots: try customRoots(),
            isTracing: isTracing)
    }

    /// The answers given in advance.
    func acceptance() throws(Failure) -> Acceptance {
        try Acceptance(isConfirmed: isConfirmed, accepting: acceptedTexts)
    }
}
