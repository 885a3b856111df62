import Foundation
import Glibc
import SmartCard
import TestSupport

@testable import ReaderDoctor

/// A computer that is a temporary folder: healthy, with nothing plugged in, until something is done to it.
///
/// Its user is nobody who owns files here, and is in no group.
final class MadeUpMachine: MadeUpFiles {
    let folder: TestSupport.TemporaryFolder
    var deviceCount = 0
    var environment: [String: String] = [:]
    var service: SmartCardService.Answer = .readers([])
    /// Whether the user is in the group that owns all devices.
    var isInGroup = false

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

extension MadeUpMachine {
    /// Where the driver's package has its list.
    static let driverList = "/usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist"

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
            Self.driverList,
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
