import ArgumentParser
import Glibc
import TapManager

/// `hwi installudevrules`: puts tapkit's rules for readers where udev reads them.
struct HWIInstallUdevRules: HWICommand {
    static let configuration = CommandConfiguration(
        commandName: "installudevrules", abstract: "Install the udev rules for NFC readers.",
        discussion: "Readers on pcscd need none; udev/setup.sh does this too, and more.")

    static let fileName = "70-tapkit.rules"
    private static let mode: mode_t = 0o644

    @OptionGroup var globals: HWIGlobals

    @Option(help: "The folder for the rules.")
    var location = "/etc/udev/rules.d/"

    func answer(_ session: HWISession) async throws -> HWISuccess {
        guard !location.isEmpty else { throw HWIError(.badArgument, "--location names no folder.") }
        let path = (location.hasSuffix("/") ? location : location + "/") + Self.fileName
        do throws(AtomicFile.WritingError) {
            try AtomicFile.write(PackageResources._0_tapkit_rules, to: path, mode: Self.mode)
        } catch {
            let isForbidden = [EACCES, EPERM, EROFS].contains(error.errorNumber)
            throw HWIError(
                isForbidden ? .needRoot : .badArgument,
                "installudevrules failed: " + (isForbidden ? "Need to be root. " : "") + Failure(error).message)
        }
        session.note("\(path) is written. To use it at once: udevadm control --reload-rules && udevadm trigger")
        return HWISuccess()
    }
}
