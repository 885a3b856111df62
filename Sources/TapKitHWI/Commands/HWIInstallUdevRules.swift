import Glibc
import TapManager

/// `hwi installudevrules`: installs tapkit's udev rules for readers.
struct HWIInstallUdevRules: HWICommand {
    private static let location = HWIOption(
        "location", value: .text("location"), help: "The folder for the rules; default: \(usualLocation).")
    private static let usualLocation = "/etc/udev/rules.d/"

    static let grammar = HWIGrammar(
        "installudevrules", abstract: "Install the udev rules for NFC readers.",
        discussion: "Readers that use pcscd need no rules. udev/setup.sh also installs the rules, and more.",
        options: [location])
    static let needsCVC = false

    private static let fileName = "70-tapkit.rules"
    private static let mode: mode_t = 0o644

    private let location: String

    init(_ values: HWIValues) { location = values.text(Self.location) ?? Self.usualLocation }

    func answer(_ session: HWISession) async throws -> HWISuccess {
        guard !location.isEmpty else { throw HWIError(.badArgument, "--location needs a folder.") }
        let path = (location.hasSuffix("/") ? location : location + "/") + Self.fileName
        do throws(WritingError) {
            try AtomicFile.write(session.host.udevRules, to: path, mode: Self.mode)
        } catch {
            let isForbidden = [EACCES, EPERM, EROFS].contains(error.errorNumber)
            throw HWIError(
                isForbidden ? .needRoot : .badArgument,
                "installudevrules failed: " + (isForbidden ? "Need to be root. " : "") + error.message)
        }
        session.note("Installed \(path). To apply it now: udevadm control --reload-rules && udevadm trigger")
        return HWISuccess()
    }
}
