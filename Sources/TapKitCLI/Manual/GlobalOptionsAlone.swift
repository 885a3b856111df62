import ArgumentParser

/// A command with only the options of every verb, so that the manual knows which these are.
struct GlobalOptionsAlone: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tapkit")

    @OptionGroup var options: GlobalOptions
}
