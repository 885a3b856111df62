import Bitcoin
import TapProtocol

/// The loss drill: kits for heirs, and rehearsals with nothing else than a kit and backups.
extension CardManager {
    /// What heirs need to know about a stored wallet.
    /// - Throws: `ErrorCode.notSupported` for taproot, and for too many spending paths; `ErrorCode.badProof` if a card
    ///   has another key than the wallet says; why the store cannot be read.
    package nonisolated func kit(of opened: OpenedWallet) throws -> WalletKit {
        let view = try overview(of: opened, lastChain(of: opened))
        let wallet = try WatchWallet(opened.stored)
        guard !wallet.hasTaproot else { throw KitError.taproot }
        guard !wallet.hasUnlistedPaths else { throw KitError.tooManyPaths }
        return try WalletKit(wallet, view, in: store, at: now)
    }

    /// The stored wallets for which it is time to rehearse: those with a kit and a spending path that was never proven,
    /// those with a kit that is newer than every proof, and those of which a path was last proven more than a year ago.
    package nonisolated func walletsWithDueDrill() throws(StoreError) -> [StoredWallet] {
        try store.wallets().filter(isDrillDue)
    }

    /// Whether it is time to rehearse with a stored wallet; see `walletsWithDueDrill`.
    package nonisolated func isDrillDue(of wallet: StoredWallet) -> Bool {
        wallet.drill.isDue(at: now) { KitPath.numbers(of: wallet) }
    }

    /// Confirms that a kit could be written into a folder.
    /// - Throws: `ErrorCode.wouldOverwrite` for one that has any file of a kit.
    package nonisolated func requireRoom(forKitIn folder: String, overwriting: Bool) throws {
        try KitFolder(path: folder).requireWritable(overwriting: overwriting)
    }

    /// Writes a kit into a folder, which is made if it does not exist, and remembers that first: a kit of which nobody
    /// knows would be taken for a stranger's.
    /// - Parameter texts: the files that a front end writes in its own words.
    /// - Returns: the files.
    /// - Throws: `ErrorCode.notSupported` for a kit too large to be read again; `ErrorCode.wouldOverwrite`,
    ///   `ErrorCode.cannotWrite`, `ErrorCode.diskFull`; why the store failed.
    package nonisolated func write(
        _ kit: WalletKit, of opened: OpenedWallet, with texts: [KitFile], to folder: String, overwriting: Bool
    ) throws -> [KitFile] {
        let files = try kit.files(with: texts)
        try ReadKit.requireReadable(files)
        try KitFolder(path: folder).write(files, overwriting: overwriting) { document in
            do throws(StoreError) {
                try store.noteKit(SHA256.hash(document.bytes), of: opened.stored, at: kit.written)
            } catch { throw WalletError.store(error) }
        }
        return files
    }

    /// Confirms that a kit is one of a stored wallet, as this store wrote it.
    /// - Throws: `ErrorCode.alteredKit`; `ErrorCode.badKit` for one of a wallet with another name; why the store cannot
    ///   be read.
    package nonisolated func require(_ kit: ReadKit, of opened: OpenedWallet) throws {
        try kit.requireSame(as: opened.stored, try store.cards())
    }

    /// Confirms that a backup has a key of a wallet.
    /// - Throws: `ErrorCode.otherCardsBackup`, `ErrorCode.badProof`.
    package nonisolated func require(_ backup: OpenedBackup, for wallet: WatchWallet) throws {
        _ = try BackupHolders([backup], for: wallet)
    }

    /// The newest stored backup of each remembered card that a stored wallet names, in the order of its keys.
    /// - Throws: why the store cannot be read.
    package nonisolated func storedBackups(
        for opened: OpenedWallet
    ) throws -> [(card: CardRecord, backup: StoredBackup)] {
        let cards = try store.cards()
        var found: [(card: CardRecord, backup: StoredBackup)] = []
        var seen: Set<Fingerprint> = []
        for fingerprint in opened.wallet.shownKeys.compactMap(\.origin?.fingerprint) {
            for card in cards where card.fingerprint == fingerprint && !seen.contains(fingerprint) {
                guard let newest = try store.backups(of: card.ident).first else { continue }
                found.append((card, newest))
                seen.insert(fingerprint)
            }
        }
        return found
    }

    /// Spends from the wallet of a kit, on a chain that exists only meanwhile, with the keys of backups alone.
    /// If it is the newest kit of a stored wallet, remembers what was proven.
    /// - Parameters:
    ///   - opened: the stored wallet, which the kit must be one of, as this store wrote it; `nil`: there is none, and
    ///     nothing is remembered.
    ///   - preimages: 32 bytes each, for spending paths that take them.
    ///   - hasStoredBackups: whether the backups are the store's own copies: heirs will not have those, so nothing is
    ///     remembered.
    /// - Throws: `ErrorCode.alteredKit`, `ErrorCode.badKit`, `ErrorCode.otherCardsBackup`, `ErrorCode.badProof` if a
    ///   backup has another key than the wallet says, `ErrorCode.cannotBuild`; `CancellationError`; why the store
    ///   failed.
    package nonisolated func rehearse(
        _ kit: ReadKit, of opened: OpenedWallet?, with backups: [OpenedBackup], preimages: [[UInt8]] = [],
        hasStoredBackups: Bool
    ) throws -> RehearsalReport {
        if let opened { try require(kit, of: opened) }
        let rehearsal = try Rehearsal(
            kit.wallet, try BackupHolders(backups, for: kit.wallet), preimages: preimages,
            names: try store.names(of: kit.wallet.descriptors.flatMap(\.keys)))
        let report = RehearsalReport(
            wallet: kit.wallet, written: kit.written, paths: try rehearsal.run(), time: now,
            storedName: opened?.stored.name, newerKit: opened?.stored.drill.kit(newerThan: kit.digest, at: now),
            addressCount: rehearsal.addressCount, hasStoredBackups: hasStoredBackups)
        if let opened, report.isRemembered, !report.proven.isEmpty {
            do throws(StoreError) {
                try store.noteRehearsal(of: opened.stored, paths: report.proven, at: report.time)
            } catch { throw WalletError.store(error) }
        }
        return report
    }

    /// Spends likewise from a stored wallet, whose kit need not be there. Nothing is remembered: it is a kit that heirs
    /// will have.
    /// - Throws: as with a kit; what `kit(of:)` throws.
    package nonisolated func rehearse(
        _ opened: OpenedWallet, with backups: [OpenedBackup], preimages: [[UInt8]] = []
    ) throws -> RehearsalReport {
        let kit = try self.kit(of: opened)
        let rehearsal = try Rehearsal(
            kit.wallet, try BackupHolders(backups, for: kit.wallet), preimages: preimages, names: kit.names)
        return RehearsalReport(
            wallet: kit.wallet, written: nil, paths: try rehearsal.run(), time: now, storedName: opened.stored.name,
            newerKit: nil, addressCount: rehearsal.addressCount, hasStoredBackups: false)
    }
}
