import Bitcoin

/// What a rehearsal found out about one way to spend.
package struct RehearsedPath: Sendable {
    /// The way, and what it takes.
    package let path: KitPath
    /// Whether the coins could be spent, and not a block before.
    package let isProven: Bool
    /// The keys that took part in spending.
    package let keys: [SpendingTerms.Key]
    /// The keys of this path whose backups were not there.
    package let missing: [SpendingTerms.Key]
    /// How many of the preimages that it takes were not there.
    package let missingPreimages: Int
    /// Why it failed although everything was there; `nil`: it did not.
    package let fault: RehearsalError?
}

/// What a rehearsal found out.
package struct RehearsalReport: Sendable {
    /// The wallet, as the kit describes it.
    package let wallet: WatchWallet
    /// When the kit was written.
    package let written: UnixTime
    /// Every way to spend.
    package let paths: [RehearsedPath]
    /// When it was rehearsed.
    package let time: UnixTime
    /// Whether the kit was compared with the stored wallet, which remembers what was proven.
    package let isStored: Bool
    /// Whether the local store knows every byte of the kit, because it wrote it; `nil` without a stored wallet.
    package let isKnownKit: Bool?
    /// How many addresses were paid and spent.
    package let addressCount: Int

    /// The numbers of the paths that were proven.
    package var proven: [Int] { paths.filter(\.isProven).map(\.path.number) }
}
