import Bitcoin
import ExplainedErrors

extension StoreError: ExplainedError {
    /// What went wrong, as all layers name it.
    public var code: ErrorCode {
        switch self {
        case .unsafe: .storeUnsafe
        case .newer: .storeNewer
        case .damaged, .damagedInUse, .unreadable: .storeDamaged
        case .notWritable: .cannotWrite
        case .diskFull: .diskFull
        case .busy: .storeBusy
        case .contradiction: .contradiction
        case .noSuchTransaction: .noSuchTransaction
        case .coinsTaken: .coinsTaken
        case .walletExists(let name): WalletError.walletExists(name).code
        case .noSuchWallet(let name): WalletError.noSuchWallet(name).code
        case .failed: .storeFailed
        }
    }

    /// What happened, in sentences that name the transaction, wallet or file.
    public var message: String {
        switch self {
        case .unsafe(let path, let reason): "The local store \(path) is not safe to use: \(reason)."
        case .newer(let path): "A newer version wrote the local store \(path); this version would damage it."
        case .damaged(let path, let setAside): "The local store \(path) is damaged. It was moved to \(setAside)."
        case .damagedInUse(let path, let reason):
            "The local store \(path) is damaged, and could not be moved: \(reason)."
        case .notWritable(let path, let reason): "The local store \(path) cannot be written: \(reason)."
        case .diskFull(let path): "The disk with the local store \(path) is full."
        case .busy(let path): "Another process is using the local store \(path)."
        case .contradiction(let id, let fault):
            "The PSBT contradicts the stored PSBT of transaction \(id): \(fault)."
        case .noSuchTransaction(let id): "There is no stored transaction \(id)."
        case .coinsTaken(let taken):
            "Another stored transaction spends \(taken.count == 1 ? "a coin" : "coins"): \(Self.first(of: taken))."
        case .walletExists(let name): WalletError.walletExists(name).message
        case .noSuchWallet(let name): WalletError.noSuchWallet(name).message
        case .unreadable(let path, let what): "The local store \(path) has unreadable content: \(what)."
        case .failed(let path, let reason): "The local store \(path) failed: \(reason)."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .unsafe:
            "Make sure that it is yours and that nobody else changed it, restore a copy, or use another folder."
        case .newer: "Use the newer version, or another folder."
        case .damaged: "Keep that file. The next run starts with an empty store."
        case .damagedInUse: "Close the other programs that use it, then check the store."
        case .notWritable: "Make its folder writable, or use another one."
        case .diskFull: "Free some space, then try again. Nothing that was stored is lost."
        case .busy: "Try again."
        case .contradiction: "Review the stored one, and delete whichever is wrong."
        case .coinsTaken: "Delete stored transactions that you do not want to send: that frees their coins."
        case .walletExists(let name): WalletError.walletExists(name).remedy
        case .noSuchWallet(let name): WalletError.noSuchWallet(name).remedy
        case .noSuchTransaction, .unreadable, .failed: ""
        }
    }

    /// The store, or what was searched in it.
    public var subject: ErrorSubject? {
        switch self {
        case .unsafe(let path, _), .newer(let path), .damagedInUse(let path, _), .notWritable(let path, _),
            .diskFull(let path), .busy(let path), .unreadable(let path, _), .failed(let path, _):
            .store(path)
        case .damaged(_, let setAside): .file(setAside)
        case .contradiction(let id, _), .noSuchTransaction(let id): .transaction(id)
        case .coinsTaken: nil
        case .walletExists(let name), .noSuchWallet(let name): .wallet(name)
        }
    }

    private static func first(of taken: [Outpoint: TransactionID]) -> String {
        let first = taken.map { (coin: "\($0.key)", spender: "\($0.value)") }.min { $0.coin < $1.coin }
        return first.map { "\($0.coin) is spent by \($0.spender)" } ?? "it is not known which"
    }
}
