import ArgumentParser
import TapKitHWI

/// `tapkit hwi`: HWI's own command line, so that Bitcoin Core, Sparrow, Specter and others can use the card.
///
/// It has its own parser, which runs before this one (`EntryPoint`). This type provides the help, the manual and shell
/// completions, from the same table as that parser.
struct HWIVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: HWIProgram.name, abstract: HWIGrammar.hwi.abstract, discussion: HWIGrammar.hwi.discussion,
        version: HWIProgram.version, subcommands: HWIProgram.commands.map(explained))

    private static func explained(_ command: any HWIDescribed.Type) -> any ParsableCommand.Type { entry(command) }

    private static func entry<Command: HWIDescribed>(_ command: Command.Type) -> any ParsableCommand.Type {
        HWICommandEntry<Command>.self
    }
}

/// One of HWI's commands, as ArgumentParser describes it.
private struct HWICommandEntry<Command: HWIDescribed>: ParsableCommand, CustomReflectable {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Command.grammar.name, abstract: Command.grammar.abstract,
            discussion: Command.grammar.discussion)
    }

    init() {}

    /// Accepts any name.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The parsed values are never used.
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }

    /// ArgumentParser inspects a command's properties to find its arguments: these come from the grammar.
    var customMirror: Mirror {
        let options = HWIGrammar.hwi.options + Command.grammar.options
        let children =
            options.map { ($0.key, $0.property) } + Command.grammar.operands.map { ($0.name, $0.property) }
        return Mirror(self, children: children.map { (label: $0.0, value: $0.1) })
    }
}

extension HWIOption {
    /// The property that a command would declare.
    fileprivate var property: Any {
        let names = NameSpecification(
            (short.map { [NameSpecification.Element.customShort($0)] } ?? []) + long.map { .customLong($0) })
        guard let name = value.name else {
            return Flag<Bool>(wrappedValue: false, name: names, help: ArgumentHelp(help))
        }
        let help = ArgumentHelp(help, valueName: name)
        guard !isRepeatable else { return Option<[String]>(wrappedValue: [], name: names, help: help) }
        guard case .choice(_, let choices) = value else { return Option<String?>(name: names, help: help) }
        return Option<String?>(name: names, help: help, completion: .list(choices))
    }
}

extension HWIOperand {
    /// The property that a command would declare.
    fileprivate var property: Any { Argument<String>(help: ArgumentHelp(help, valueName: name)) }
}
