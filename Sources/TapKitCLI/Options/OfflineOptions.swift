import ArgumentParser

/// Whether a verb that would ask the chain server makes do with what one said before.
struct OfflineOptions: ParsableArguments {
    @Flag(help: "Do not ask the chain server: go by what one said last.")
    var offline = false
}
