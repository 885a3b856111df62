import ExplainedErrors
import ManualPages

/// `tapkit(1)`: everything that the verbs have in common.
extension ManualPage {
    /// The page of the command itself.
    static func overview(of tapkit: CommandDescription, globalOptions options: [CommandDescription.Argument])
        -> ManualPage
    {
        var page = begun(tapkit.commandName, in: .commands, of: .current, abstract: tapkit.abstract ?? "")
        page.section("SYNOPSIS")
        page.hanging([.bold("tapkit"), .plain(" "), .italic("verb"), .plain(" [options]")])
        page.hanging([.bold("tapkit help"), .plain(" [verb | options | readers | errors | findings]")])
        page.section("DESCRIPTION")
        page.run(tapkit.abstract ?? "")
        page.discussion(tapkit.discussion)
        page.paragraph(
            "The card signs any 32 bytes and shows nothing. So tapkit proves the card, checks every claim of a "
                + "transaction against the card's own keys, shows what will be signed, and verifies each signature.")
        page.section("VERBS")
        for verb in tapkit.shownSubcommands {
            page.item(
                [.bold(verb.commandName)], "\(verb.abstract ?? "") See \(name(ofVerb: verb.commandName))(1).")
        }
        page.section("SHARED OPTIONS")
        page.run("They may come before or after the verb. \(HelpText.ambiguity)")
        for option in options { page.item(option) }
        page.item([.bold("-h"), .plain(", "), .bold("--help")], "Show help for the verb.")
        page.item([.bold("--version")], "Show the version.")
        page.section("READERS")
        page.discussion(HelpVerb.readers)
        environment(options, in: &page)
        files(in: &page)
        page.section("EXIT STATUS")
        for status in ExitStatus.allCases { page.item([.bold("\(status.rawValue)")], status.meaning) }
        page.section("ERRORS")
        page.run("With --json, the answer of a verb that failed has one of these codes as error.code.")
        for code in ErrorCode.allCases {
            page.item([.bold(code.rawValue)], "\(code.meaning) Exit status \(code.exitStatus.rawValue).")
        }
        page.examples(["setup", "sign", "address", "doctor"].flatMap { CommandExample.texts(of: $0).prefix(1) })
        page.section("SEE ALSO")
        page.run(tapkit.shownSubcommands.map { "\(name(ofVerb: $0.commandName))(1)" }.joined(separator: ", ") + ",")
        page.run("The handbook: " + HandbookPage.all.map(reference(to:)).joined(separator: ", ") + ",")
        page.run("pcscd(8), udev(7)")
        return ManualPage(name: tapkit.commandName, section: .commands, text: page.text)
    }

    private static func environment(_ options: [CommandDescription.Argument], in page: inout Roff) {
        page.section("ENVIRONMENT")
        page.run("An option overrides its variable, which overrides the configuration file.")
        for option in options {
            guard let match = option.abstract?.firstMatch(of: /\[([A-Z][A-Z_]+)\]/) else { continue }
            page.item([.bold(String(match.1))], "The same as \(option.identity).")
        }
        page.item(
            [.bold("TAPKIT_PINENTRY")],
            "The program that asks for a CVC if there is no terminal; default: the one that GnuPG uses, or else pinentry."
        )
        page.item([.bold("XDG_CONFIG_HOME")], "Where the configuration file is; default: $HOME/.config.")
        page.item([.bold("XDG_DATA_HOME")], "Where the local store is; default: $HOME/.local/share.")
    }

    private static func files(in page: inout Roff) {
        page.section("FILES")
        page.item(
            [.italic("$XDG_CONFIG_HOME/tapkit/config.json")],
            "The settings saved by tapkit config: a JSON object of strings. tapkit refuses the file if others can write to it."
        )
        page.item(
            [.italic("$XDG_DATA_HOME/tapkit/store.sqlite")],
            "The local store: cards and what they have proven, transactions, interrupted tasks, encrypted backups, "
                + "wallets, labels. It holds no CVC and no private key, but reveals which coins are yours.")
        page.item(
            [.italic("$XDG_DATA_HOME/tapkit/servers.json")],
            "Certificates of chain servers that no authority has signed, as they were first seen.")
        page.item([.italic("/etc/nfc/libnfc.conf")], "Which NFC reader libnfc uses, and how (device.connstring).")
        page.item(
            [.italic("70-tapkit.rules"), .plain(", "), .italic("71-tapkit-serial.rules")],
            "udev rules that let the user at the machine use libnfc's readers, in /etc/udev/rules.d or "
                + "/usr/lib/udev/rules.d. The second file is only installed on request.")
    }
}
