import ArgumentParser

/// Whether a verb uses what a chain server reported earlier instead of asking it.
struct OfflineOptions: ParsableArguments {
    @Flag(help: "Do not ask the chain server: use its last answer.")
    var offline = false
}
