import CardReaders
import ExplainedErrors
import Foundation
import Glibc
import SmartCard
import TestSupport
import Testing

@testable import ReaderDoctor

/// The doctor as a whole.
@Suite struct DiagnosisTests {
    /// What may be said to be missing.
    private static let codes: Set<ErrorCode> = [
        .noService, .noReader, .readerGone, .readerBusy, .noPermission,
    ]

    @Test func everyCheckHasAName() {
        let names = DoctorChecks.all.map { $0.name }
        #expect(Set(names).count == names.count && names.count == 22)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z0-9]+)*|acr122u_firmware/) != nil })
    }

    @Test func aHealthyReaderHasNoProblem() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022", mode: 0o600)
        made.service = .reader("HID Global OMNIKEY 5022 Smart Card Reader 00 00", .present)
        for wanted in [WantedReader.any, .pcsc(), .pcsc(nameContains: "5022")] {
            let diagnosis = made.diagnosis(for: wanted)
            #expect(diagnosis.isUsable && diagnosis.findings.allSatisfy { $0.weight == .fine }, "\(diagnosis.findings)")
            #expect(diagnosis.findings.last?.check == "readers")
        }
    }

    @Test func aHealthyBoardHasNoProblem() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.service = .notAsked
        let diagnosis = made.diagnosis(for: .nfc(connstring: "pn532_uart:/dev/ttyUSB0"))
        #expect(diagnosis.isUsable && diagnosis.findings.allSatisfy { $0.weight == .fine }, "\(diagnosis.findings)")
        #expect(diagnosis.kindToName == nil)
    }

    @Test func onlyWhatWasAskedForIsLookedAt() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200")
        made.plugBoard()
        let byName = Dictionary(uniqueKeysWithValues: DoctorChecks.all.map { ($0.name, $0.kinds) })
        for (wanted, kind) in [(WantedReader.pcsc(), ReaderKind.pcsc), (.nfc(), .nfc)] {
            for finding in made.diagnosis(for: wanted).findings {
                #expect(byName[finding.check]?.contains(kind) == true, "\(finding)")
            }
        }
    }

    @Test func theCodeSaysWhatIsMissing() throws {
        let made = try MadeUpMachine()
        #expect(made.diagnosis().code == .noReader)
        made.service = .noService
        #expect(made.diagnosis().code == .noService)
        made.service = .silent(seconds: 3)
        #expect(made.diagnosis().code == .noService)
        made.service = .refused
        #expect(made.diagnosis().code == .noPermission)
        #expect(made.diagnosis(for: .nfc()).code == .noReader)
    }

    @Test func aSimulatedCardNeedsItsFileOnly() throws {
        let made = try MadeUpMachine()
        made.service = .notAsked
        made.pipe("/home/card.json", 0o666)
        let there = made.diagnosis(for: WantedReader(.sim, name: "/home/card.json"))
        #expect(there.isUsable && there.kindToName == nil)
        #expect(there.findings.map(\.evidence) == ["SIMULATED card /home/card.json"])
        made.pipe("/home/others.json", 0o600)
        for file in ["/home/none.json", "/home/others.json", nil] {
            let gone = made.diagnosis(for: WantedReader(.sim, name: file))
            #expect(!gone.isUsable && gone.code == .noReader && gone.findings.map(\.check) == ["simulated_card"])
            #expect(gone.findings[0].weight == .problem && gone.findings[0].remedy != nil)
        }
        var machine = made.machine
        machine.backends[.sim] = BackendAnswer.none(.simFileDamaged, message: "It is damaged.", remedy: "")
        let damaged = withExtendedLifetime(made) {
            Diagnosis(of: machine, for: WantedReader(.sim, name: "/home/card.json"))
        }
        #expect(!damaged.isUsable && damaged.findings.map(\.evidence) == ["/home/card.json: It is damaged."])
    }

    /// Whether a sentence begins with a capital; programs are named, and commands typed, as they are.
    private static func beginsWell(_ text: String) -> Bool {
        // “nonsense” is what the machine calls a device.
        let programs: Set = ["pcscd", "libnfc", "polkit", "systemd", "sudo", "nonsense"]
        guard let word = text.split(separator: " ").first, word.wholeMatch(of: /[a-z']+[,;:]?/) != nil else {
            return true
        }
        return programs.contains(String(word))
    }

    /// Whatever is broken: every problem has evidence and a remedy, who cannot use a card is told of a problem, the
    /// order is that of the list, the status is 69, and nothing on the machine is changed.
    @Test func nobodyIsLeftWithoutAnAnswer() throws {
        var random = SeededGenerator()
        for _ in 0..<50 {
            let made = try MadeUpMachine()
            for fault in Fault.all where Int.random(in: 0..<5, using: &random) == 0 { fault(made) }
            let wanted = try #require(Fault.wishes.randomElement(using: &random))
            made.service =
                wanted.allowsPCSC ? try #require(Fault.answers.randomElement(using: &random)) : .notAsked
            let before = made.snapshot()
            let diagnosis = made.diagnosis(for: wanted)
            #expect(made.snapshot() == before)
            #expect(diagnosis.isUsable || !diagnosis.problems.isEmpty, "\(wanted) \(diagnosis)")
            #expect(diagnosis.findings.allSatisfy { !$0.evidence.isEmpty && $0.remedy?.isEmpty != true })
            #expect(diagnosis.problems.allSatisfy { $0.remedy != nil }, "\(diagnosis.problems)")
            for text in diagnosis.findings.flatMap({ [$0.evidence, $0.remedy].compactMap(\.self) }) {
                #expect(Self.beginsWell(text), "\(text)")
            }
            #expect(Self.codes.contains(diagnosis.code))
            let order = DoctorChecks.all.map { $0.name }
            let places = diagnosis.findings.map { order.firstIndex(of: $0.check) ?? -1 }
            #expect(places == places.sorted() && !places.contains(-1))
        }
    }
}

/// What can be done to a made-up machine, for chance to choose from.
private enum Fault {
    static var all: [(MadeUpMachine) -> Void] {
        let plugged: [(MadeUpMachine) -> Void] = ReaderModel.all.map { model in
            let part = model.isForPCSC ? USBPart.ccid : USBPart.vendorSpecific
            return { $0.plug(model.identifier.description, part) }
        }
        let others: [(MadeUpMachine) -> Void] = [
            { $0.plug("072f:2200", release: "0100", driver: "pn533_usb") }, { $0.plug("1234:5678") },
            { $0.plug("072f:7777", USBPart.vendorSpecific) },
            { $0.plug("0c27:3bfa", USBPart.keyboard) },
            { $0.plugBoard() }, { $0.plugBoard(mode: 0o666) }, { $0.isInGroup = true },
            { $0.remove("/usr/sbin/pcscd") }, { $0.remove("/run/pcscd") }, { $0.remove("/run/systemd") },
            { $0.remove("/etc/systemd") }, { $0.link("/etc/systemd/system/pcscd.socket", "/dev/null") },
            { $0.remove(MadeUpMachine.driverList) }, { $0.writeDriverList(options: "4") }, { $0.remove("/etc/udev") },
            { $0.remove("/etc/modprobe.d") }, { $0.remove("/proc/modules") }, { $0.remove("/sys") },
            { $0.write("/proc/modules", "pn533_usb 1\nnfc 2\n") }, { $0.run("brltty", process: 3) },
            { $0.run("pcscd", process: 4) }, { $0.run("ModemManager", process: 5) },
            { $0.run("minicom", process: 6, holding: "/dev/ttyUSB0") }, { $0.write("/run/lock/LCK..ttyUSB0", "6\n") },
            { $0.environment["PCSCLITE_CSOCK_NAME"] = "/tmp/none" }, { $0.environment["SSH_CONNECTION"] = "x" },
            { $0.environment["LIBNFC_DEFAULT_DEVICE"] = "pn532_uart:/dev/ttyUSB0" },
            { $0.environment["LIBNFC_DEVICE"] = "nonsense" }, { $0.environment["LIBNFC_AUTO_SCAN"] = "false" },
            { $0.write("/etc/nfc/devices.d/a.conf", "connstring = pn532_uart:/dev/ttyUSB3\noptional = true\n") },
        ]
        return plugged + others
    }

    /// What the service says when it is asked.
    static let answers: [SmartCardService.Answer] = [
        .readers([]), .reader("ACS ACR122U 00 00"), .reader("Virtual PCD 00 00", .held), .noService,
        .refused,
        .silent(seconds: 3), .reader("HID Global OMNIKEY 5022 Smart Card Reader 00 00", .mute),
    ]

    static let wishes: [WantedReader] = [
        .any, .pcsc(), .pcsc(nameContains: "ACR"), .nfc(), .nfc(connstring: "pn532_uart:/dev/ttyUSB0"),
        .nfc(connstring: "pn53x_usb:1:2"), .nfc(connstring: "x:y"),
    ]
}
