import CardReaders
import TestSupport

/// A computer that is a temporary folder: USB without devices, and no program running.
final class MadeUpHost: MadeUpFiles {
    let folder: TemporaryFolder
    var deviceCount = 0
    var environment: [String: String] = [:]

    init() throws {
        folder = try TemporaryFolder()
        makeFolder("/sys/bus/usb/devices")
    }

    /// What is seen of it.
    var files: DescribedHost { DescribedHost(root: folder.url.path, environment: environment) }

    /// An ACR122U that the PC/SC service has, which this user may see or not.
    func plugServedReader(isServiceSeen: Bool) {
        plug("072f:2200", driver: "usbfs")
        run("pcscd", process: 77, holding: isServiceSeen ? "/dev/bus/usb/001/00\(deviceCount)" : nil)
    }
}

/// The files of a made-up computer.
struct DescribedHost: HostFiles {
    let root: String
    let environment: [String: String]
}
