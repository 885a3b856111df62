import Foundation
import ReaderDoctor
import SmartCard
import TestSupport
import Testing

@testable import AnswerDocuments
@testable import TapKitCLI

/// What the terminal makes of the doctor's findings.
@Suite struct DiagnosisTextTests {
    /// Without `--reader` a configured board will do, and the doctor says how to name it.
    @Test func aBoardWithoutAnOptionNeedsOne() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.environment["LIBNFC_DEFAULT_DEVICE"] = "pn532_uart:/dev/ttyUSB0"
        #expect(made.diagnosis().isUsable && made.diagnosis().problems.isEmpty)
        #expect(DiagnosisText.lines(made.diagnosis()).last == "A card can be used now, with --reader nfc.")
        #expect(!made.diagnosis(for: .pcsc()).isUsable)
    }

    @Test func peopleReadProblemsFirst() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200", release: "0200")
        made.remove("/etc/modprobe.d")
        let lines = DiagnosisText.lines(made.diagnosis())
        let marks = lines.filter { !$0.hasPrefix("  ") }.map { String($0.prefix(4)) }
        #expect(marks == marks.filter { $0 == "PROB" } + marks.filter { $0 == "note" } + marks.filter { $0 == "ok  " })
        #expect(marks.first == "PROB" && marks.contains("note") && marks.contains("ok  "))
        let problems = made.diagnosis().problems
        #expect(problems.map(\.check) == ["module_blacklist", "acr122u_firmware", "readers"])
        #expect(
            lines[0].hasPrefix("PROBLEM  module_blacklist: ")
                && lines[1].hasPrefix("         Remedy: sudo udev/setup.sh"))
    }

    /// The handbook's example is what the doctor says of such a machine.
    @Test func theHandbookShowsWhatIsSaid() throws {
        let made = try MadeUpMachine()
        made.plugBoard()
        made.write("/etc/passwd", "root:x:\(getuid()):0::/:/bin/sh\n")
        let page = Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Readers.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var wanted = WantedReader.nfc(connstring: "pn532_uart:/dev/ttyUSB0")
        wanted.option = "--reader"
        let example =
            ["$ tapkit doctor --reader nfc:pn532_uart:/dev/ttyUSB0"]
            + DiagnosisText.lines(made.diagnosis(for: wanted)) + ["tapkit: No card can be used now."]
        #expect(text.contains("```\n\(example.joined(separator: "\n"))\n```\n"), "\(example.joined(separator: "\n"))")
    }

    @Test func aHealthyBoardIsSaidToBeUsable() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.service = .notAsked
        let diagnosis = made.diagnosis(for: .nfc(connstring: "pn532_uart:/dev/ttyUSB0"))
        #expect(DiagnosisText.lines(diagnosis).last == "A card can be used now.")
    }

    /// A device is called what its maker, or a thief, wrote into it.
    @Test func aDevicesNameMovesNoCursor() throws {
        let made = try MadeUpMachine()
        made.service = .reader("Reader\u{1B}[2J\n00 00", .present)
        let diagnosis = made.diagnosis()
        #expect(diagnosis.findings.contains { $0.evidence.contains("\u{1B}") })
        for text in DiagnosisText.lines(diagnosis) + diagnosis.findings.map({ DoctorFindingDocument($0).evidence }) {
            #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" }, "\(text)")
        }
    }
}
