import ArgumentParser

/// What HWI's callers may say of a backup, for devices that have a use for it.
struct HWIBackupOptions: ParsableArguments {
    @Option(name: [.customLong("label"), .customShort("l")], help: "Of no effect: a card has no label.")
    var label = ""

    @Option(
        name: [.customLong("backup_passphrase"), .customShort("b")],
        help: "Of no effect: the backup's key is printed on the card.")
    var backupPassphrase = ""
}
