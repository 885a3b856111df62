import TapManager
import TextLayout

extension StoredWallet {
    /// That it is time to rehearse, with the command.
    var dueDrillWords: String {
        let last = drill.oldestProof.map { "was last rehearsed on \($0.isoDate)" } ?? "was never rehearsed"
        return "Loss drill: “\(TerminalText.neutralized(name))” \(last); tapkit wallet rehearse "
            + "\(TerminalText.neutralized(ShellWord.quoted(name))) --kit FOLDER --backup FILE"
    }
}
