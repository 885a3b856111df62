import Foundation
import Glibc
import SmartCard
import TestSupport

@testable import ReaderDoctor

/// A computer that is a temporary folder: healthy, with nothing plugged in, until something is done to it.
///
/// Devices are pipes, which anybody can make. Its user is nobody who owns files here, and is in no group.
final class MadeUpMachine {
    let folder: TestSupport.TemporaryFolder
    var environment: [String: String] = [:]
    var service: SmartCardService.Answer = .readers([])
    /// Whether the user is in the group that owns all devices.
    var isInGroup = false
    private var devices = 0

    /// The group that owns all devices, by the machine's own list.
    static let group = "dialout"

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        write("/proc/modules", "usbcore 1 0 - Live 0x0\n")
        write("/etc/group", "users:x:99999:\n\(Self.group):x:\(getgid()):\n")
        write("/etc/passwd", "owner:x:\(getuid()):0::/:/bin/sh\n")
        makeFolder("/sys/bus/usb/devices")
        makeFolder("/dev")
        makeFolder("/run/systemd/system")
        write("/usr/sbin/pcscd", "")
        pipe("/run/pcscd/pcscd.comm", 0o666)
        link("/etc/systemd/system/sockets.target.wants/pcscd.socket", "/lib/systemd/system/pcscd.socket")
        writeDriverList()
        copy("udev/70-tapkit.rules", "/etc/udev/rules.d/70-tapkit.rules")
        copy("udev/tapkit-blacklist.conf", "/etc/modprobe.d/tapkit-blacklist.conf")
    }

    /// What the doctor gets to see.
    var machine: Machine {
        Machine(
            root: folder.url.path,
            user: MachineUser(
                identifier: 4_000_000, groups: isInGroup ? [4_000_000, getgid()] : [4_000_000], name: "satoshi",
                isOfThisProcess: false),
            environment: environment, service: service)
    }

    /// What a check says.
    func findings(of check: any DoctorCheck.Type, for wanted: WantedReader = .any) -> [DoctorFinding] {
        check.findings(on: machine, for: wanted)
    }

    /// What the whole doctor says.
    func diagnosis(for wanted: WantedReader = .any) -> Diagnosis { Diagnosis(of: machine, for: wanted) }
}

// Files.
extension MadeUpMachine {
    func write(_ path: String, _ text: String) {
        makeFolder(parent(path))
        try? Data(text.utf8).write(to: URL(fileURLWithPath: location(path)))
    }

    func makeFolder(_ path: String) {
        try? FileManager.default.createDirectory(atPath: location(path), withIntermediateDirectories: true)
    }

    func link(_ path: String, _ target: String) {
        makeFolder(parent(path))
        symlink(target, location(path))
    }

    /// Something that is a device, with these permissions.
    func pipe(_ path: String, _ mode: mode_t) {
        makeFolder(parent(path))
        mkfifo(location(path), 0o600)
        chmod(location(path), mode)
    }

    func remove(_ path: String) { try? FileManager.default.removeItem(atPath: location(path)) }

    /// A file of the repository.
    func copy(_ source: String, _ path: String) {
        let data = try? Data(contentsOf: Vectors.root.appendingPathComponent(source))
        write(path, data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    func location(_ path: String) -> String { folder.url.path + path }

    private func parent(_ path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Every file, with its content or target and its permissions.
    func snapshot() -> [String: String] {
        var entries: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder.url.path) ?? .init() {
            var status = stat()
            lstat(location("/\(name)"), &status)
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let text =
                isFile
                ? (try? Data(contentsOf: URL(fileURLWithPath: location("/\(name)"))))?.base64EncodedString() : nil
            entries[name] = "\(status.st_mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(text ?? "")"
        }
        return entries
    }
}

// Hardware and programs.
extension MadeUpMachine {
    /// What kind of part a device has.
    enum Part {
        static let ccid: (UInt8, UInt8) = (0x0B, 0)
        static let keyboard: (UInt8, UInt8) = (0x03, 1)
        static let mouse: (UInt8, UInt8) = (0x03, 2)
        static let vendorSpecific: (UInt8, UInt8) = (0xFF, 0)
    }

    /// Plugs a USB device in.
    /// - Parameters:
    ///   - id: `072f:2200`.
    ///   - release: `bcdDevice`, as the kernel writes it.
    ///   - mode: the permissions of its file below `/dev/bus/usb`.
    ///   - serialPort: the port that its driver makes, such as `ttyUSB0`.
    func plug(
        _ id: String, _ part: (UInt8, UInt8) = Part.ccid, release: String = "0214", driver: String? = nil,
        mode: mode_t = 0o664, serialPort: String? = nil, named product: String = "Reader"
    ) {
        devices += 1
        let folder = "/sys/bus/usb/devices/1-\(devices)"
        let numbers = id.components(separatedBy: ":")
        for (name, text) in [
            ("idVendor", numbers[0]), ("idProduct", numbers[1]), ("bcdDevice", release), ("manufacturer", "Maker"),
            ("product", product), ("busnum", "1"), ("devnum", "\(devices)"),
        ] { write("\(folder)/\(name)", text + "\n") }
        write("\(folder):1.0/bInterfaceClass", String(part.0, radix: 16) + "\n")
        write("\(folder):1.0/bInterfaceProtocol", "0\(part.1)\n")
        if let driver { link("\(folder):1.0/driver", "../../../bus/usb/drivers/\(driver)") }
        if let serialPort { makeFolder("\(folder):1.0/\(serialPort.hasPrefix("ttyACM") ? "tty/" : "")\(serialPort)") }
        pipe("/dev/bus/usb/001/00\(devices)", mode)
    }

    /// A PN532 board on a CH340 bridge: `/dev/ttyUSB0`.
    func plugBoard(mode: mode_t = 0o660) {
        plug("1a86:7523", Part.vendorSpecific, driver: "ch341", serialPort: "ttyUSB0")
        pipe("/dev/ttyUSB0", mode)
    }

    /// Lets a program run.
    func run(_ name: String, process: Int, holding path: String? = nil) {
        write("/proc/\(process)/comm", name + "\n")
        if let path { link("/proc/\(process)/fd/7", path) }
    }

    /// The property list of a CCID driver that knows the common readers.
    func writeDriverList(options: String = "0x0000") {
        let readers = [
            ("0x076B", "0x5022", "HID Global OMNIKEY 5022 Smart Card Reader"), ("0x072F", "0x2200", "ACS ACR122U"),
            ("0x072F", "0x90CC", "ACS ACR 38U-CCID"),
        ]
        func array(_ key: String, _ items: [String]) -> String {
            "<key>\(key)</key>\n<array>\n\(items.map { "<string>\($0)</string>\n" }.joined())</array>\n"
        }
        write(
            "/etc/libccid_Info.plist",
            "<plist><dict>\n<key>ifdDriverOptions</key>\n<string>\(options)</string>\n<!-- 0x04: -->\n"
                + array("ifdVendorID", readers.map { $0.0 }) + array("ifdProductID", readers.map { $0.1 })
                + array("ifdFriendlyName", readers.map { $0.2 })
                + "<key>Copyright</key>\n<string>x</string></dict></plist>\n")
    }
}

extension SmartCardService.Answer {
    /// An answer with one reader.
    static func reader(_ name: String, _ card: SmartCardService.Card? = .absent) -> Self {
        .readers([.init(name: name, card: card)])
    }

    /// No service.
    static let noService = Self.failed(
        ReaderError(.noService, "The PC/SC service (pcscd) does not answer.", remedy: "start it"))

    /// polkit's no.
    static let refused = Self.failed(
        ReaderError(.permissionDenied, "The system's policy does not let you use smart cards."))
}

extension [DoctorFinding] {
    /// The one finding there must be, if it is a problem with these words in it and something to do about it.
    func isProblem(_ evidence: String..., remedy: String = "") -> Bool {
        count == 1 && self[0].isProblem(evidence, remedy)
    }

    /// The same for a finding that is only noted.
    func isNote(_ evidence: String..., remedy: String = "") -> Bool {
        count == 1 && self[0].weight == .note && evidence.allSatisfy { self[0].evidence.contains($0) }
            && (remedy.isEmpty || self[0].remedy?.contains(remedy) == true)
    }

    /// Whether there is at least one finding, and all is well.
    var isFine: Bool { !isEmpty && allSatisfy { $0.weight == .fine && $0.remedy == nil && !$0.evidence.isEmpty } }
}

extension DoctorFinding {
    fileprivate func isProblem(_ words: [String], _ wantedRemedy: String) -> Bool {
        weight == .problem && !isFine && words.allSatisfy { evidence.contains($0) }
            && remedy.map { !$0.isEmpty && (wantedRemedy.isEmpty || $0.contains(wantedRemedy)) } == true
    }
}
