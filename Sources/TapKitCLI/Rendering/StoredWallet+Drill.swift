import TapManager
import TextLayout

extension StoredWallet {
    /// That it is time to rehearse, with the command.
    var dueDrillWords: String {
        "Rehearsal due: \(dueReason); tapkit wallet rehearse "
            + "\(TerminalText.neutralized(ShellWord.quoted(name))) --kit FOLDER --backup FILE"
    }

    private var dueReason: String {
        let wallet = "“\(TerminalText.neutralized(name))”"
        guard let oldest = drill.oldestProof else { return "\(wallet) was never rehearsed" }
        let missing = unprovenPaths.map(String.init)
        if !missing.isEmpty {
            return "path \(missing.joined(separator: ", ")) of \(wallet) was never rehearsed"
        }
        return drill.isKitNewer
            ? "\(wallet) has a kit of \(drill.kitWritten?.isoDate ?? "") that was never rehearsed"
            : "\(wallet) was last rehearsed on \(oldest.isoDate)"
    }
}
