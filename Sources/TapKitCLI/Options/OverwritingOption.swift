import ArgumentParser

/// Whether an existing file may be overwritten.
struct OverwritingOption: ParsableArguments {
    @Flag(help: "Overwrite the output file if it exists.")
    var force = false
}
