import TapManager
import TextLayout

extension StoredWallet {
    /// That it is time to rehearse, with the command.
    var dueDrillWords: String {
        "Loss drill: “\(TerminalText.neutralized(name))” \(dueReason); tapkit wallet rehearse "
            + "\(TerminalText.neutralized(ShellWord.quoted(name))) --kit FOLDER --backup FILE"
    }

    private var dueReason: String {
        guard let oldest = drill.oldestProof else { return "was never rehearsed" }
        let missing = unprovenPaths.map(String.init)
        if !missing.isEmpty {
            return "was never rehearsed by path \(missing.joined(separator: ", "))"
        }
        return drill.isKitNewer
            ? "has a kit that was never rehearsed, of \(drill.kitWritten?.isoDate ?? "")"
            : "was last rehearsed on \(oldest.isoDate)"
    }
}
