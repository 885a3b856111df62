import TapManager

/// What the options come to where managers are composed.
extension GlobalOptions {
    /// The local store, not opened.
    func storeFolder() throws(Failure) -> StoreFolder { StoreFolder(folder: try dataFolder()) }

    /// What a manager works with.
    func equipment() throws(Failure) -> Equipment {
        Equipment(
            readers: [try readerSpec().backend], patience: try waiting(), acceptedRoots: try customRoots(),
            isTracing: isTracing)
    }

    /// What was answered beforehand.
    func acceptance() throws(Failure) -> Acceptance {
        try Acceptance(isConfirmed: isConfirmed, accepting: acceptedTexts)
    }
}
