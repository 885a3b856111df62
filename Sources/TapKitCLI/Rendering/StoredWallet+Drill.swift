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
            let (paths, were) = missing.count == 1 ? ("path", "was") : ("paths", "were")
            return "\(paths) \(missing.joined(separator: ", ")) of \(wallet) \(were) never proven"
        }
        return drill.isKitNewer
            ? "\(wallet) has a kit of \(drill.kitWritten?.isoDate ?? "") that was never rehearsed"
            : "\(wallet) was last rehearsed on \(oldest.isoDate)"
    }
}
