import ArgumentParser

/// A command with the options of every verb and nothing else: tells the manual which options those are.
struct GlobalOptionsAlone: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tapkit")

    @OptionGroup var options: GlobalOptions
}
