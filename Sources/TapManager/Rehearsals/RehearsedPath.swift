import Bitcoin
import ExplainedErrors

/// What a rehearsal found out about one way to spend.
package struct RehearsedPath: Sendable {
    /// The way, and what it takes.
    package let path: KitPath
    /// Whether the coins could be spent, and with no lock one step shorter.
    package let isProven: Bool
    /// The keys that took part in spending.
    package let keys: [SpendingTerms.Key]
    /// The keys of this path whose backups were not there.
    package let missing: [SpendingTerms.Key]
    /// Keys whose backups were there, and which nothing needed: where there are too many ways to take the path, a way is
    /// looked for in which each key takes part, and not every way is tried.
    package let unused: [SpendingTerms.Key]
    /// How many of the preimages that it takes were not there.
    package let missingPreimages: Int
    /// Why it failed although everything was there; `nil`: it did not. `RehearsalError` if it is the wallet's fault.
    package let fault: (any ExplainedError)?
}

/// What a rehearsal found out.
package struct RehearsalReport: Sendable {
    /// The wallet, as the kit describes it.
    package let wallet: WatchWallet
    /// When the kit was written; `nil`: none was read, and the stored wallet was rehearsed.
    package let written: UnixTime?
    /// Every way to spend.
    package let paths: [RehearsedPath]
    /// When it was rehearsed.
    package let time: UnixTime
    /// The name of the stored wallet with which the kit was compared; `nil`: with none. The kit may call it otherwise.
    package let storedName: String?
    /// When the local store wrote a newer kit of the wallet; `nil`: this is the newest, or there is no stored wallet.
    package let newerKit: UnixTime?
    /// How many addresses were paid and spent.
    package let addressCount: Int
    /// Whether a kit was rehearsed with the store's own copies of the backups; false without a kit.
    package let hasStoredBackups: Bool

    /// Whether the kit was compared with a stored wallet.
    package var isStored: Bool { storedName != nil }

    /// Whether the stored wallet remembers what was proven: not without a kit, or with an older one than its newest, nor
    /// with the store's own copies of the backups.
    package var isRemembered: Bool { isStored && newerKit == nil && written != nil && !hasStoredBackups }

    /// The numbers of the paths that were proven.
    package var proven: [Int] { paths.filter(\.isProven).map(\.path.number) }
}
