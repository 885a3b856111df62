import ArgumentParser
import TapKitHWI

/// `tapkit hwi`: HWI's own command line, so that Bitcoin Core, Sparrow, Specter and others can use the card.
///
/// It has a parser of its own, which is asked before this one (`EntryPoint`). Here it stands for the help, the manual and the
/// completion of shells, which are made out of the same table as that parser.
struct HWIVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: HWIProgram.name, abstract: HWIGrammar.hwi.abstract, discussion: HWIGrammar.hwi.discussion,
        version: HWIProgram.version, subcommands: HWIProgram.commands.map(explained))

    private static func explained(_ command: any HWIDescribed.Type) -> any ParsableCommand.Type { entry(command) }

    private static func entry<Command: HWIDescribed>(_ command: Command.Type) -> any ParsableCommand.Type {
        HWICommandEntry<Command>.self
    }
}

/// One of HWI's commands, as ArgumentParser explains it.
private struct HWICommandEntry<Command: HWIDescribed>: ParsableCommand, CustomReflectable {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Command.grammar.name, abstract: Command.grammar.abstract,
            discussion: Command.grammar.discussion)
    }

    init() {}

    /// Any name is one of an argument's.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Nothing that is parsed here is looked at.
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }

    /// ArgumentParser looks at a command's properties to find out what can be said to it: these are its grammar's.
    var customMirror: Mirror {
        let options = HWIGrammar.hwi.options + Command.grammar.options
        let children =
            options.map { ($0.key, $0.property) } + Command.grammar.operands.map { ($0.name, $0.property) }
        return Mirror(self, children: children.map { (label: $0.0, value: $0.1) })
    }
}

extension HWIOption {
    /// As a command would declare it.
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
    /// As a command would declare it.
    fileprivate var property: Any { Argument<String>(help: ArgumentHelp(help, valueName: name)) }
}
