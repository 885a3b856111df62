import Foundation
import TestSupport
import Testing

/// What is shown while a card works.
@Suite struct ProgressTests {
    private static let inputs = 30

    private func workshop() async throws -> Workshop {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: Self.inputs)
        return workshop
    }

    @Test func programsGetALineOfJSONForEveryEvent() async throws {
        let workshop = try await workshop()
        try await workshop.tapkit("derive", "m/84h/1h/5h").succeeded()
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", "--progress").succeeded()
        #expect(try run.json().field("signed") == Self.inputs)
        var events: [[String: Any]] = []
        for line in run.errorText.split(separator: "\n") where line.hasPrefix("{") {
            events.append(
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)"))
        }
        for event in events { #expect(try event.text("card") == workshop.ident) }
        let names = try events.map { try $0.text("event") }
        #expect(names.prefix(2) == ["proving_card", "proven"])
        #expect(names.contains("changing_path"))
        let signed = events.filter { $0["event"] as? String == "signed" }
        #expect(try signed.map { try $0.field("done") } == Array(1...Self.inputs))
        #expect(try signed.allSatisfy { try $0.field("total") == Self.inputs })
        #expect(!run.errorText.contains("\u{1B}"))
        #expect(!run.errorText.contains("Leave the card on the reader"))

        let quiet = try await workshop.tapkit("xpub", "--json").succeeded()
        #expect(!quiet.errorText.contains("{"))
    }

    @Test func withoutATerminalThereAreFewPlainLines() async throws {
        let workshop = try await workshop()
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes").succeeded()
        let lines = run.errorText.split(separator: "\n").filter { $0.hasPrefix("Signed ") && $0.contains(" of ") }
        #expect(lines.map(String.init) == [25, 30].map { "Signed \($0) of 30. Leave the card on the reader." })
        #expect(!run.errorText.contains("\u{1B}") && !run.errorText.contains("\r") && !run.errorText.contains("[#"))
        try await workshop.psbt("tx.signed.psbt").expectVerified()
    }

    @Test(arguments: [80, 40] as [UInt16]) func onATerminalOneLineIsRedrawn(_ columns: UInt16) async throws {
        let workshop = try await workshop()
        let terminal = try Terminal(workshop, ["sign", "tx.psbt", "--yes"], columns: columns)
        var shown = try await terminal.shows("Complete: transaction")
        #expect(try await terminal.ending() == .exited(0))
        shown += terminal.rest()
        let drawn = shown.components(separatedBy: "\r\u{1B}[K").dropFirst().filter {
            $0.contains("Signed ") && $0.hasPrefix("[")
        }
        #expect(drawn.count == Self.inputs, "\(shown)")
        for (index, line) in drawn.enumerated() {
            #expect(!line.contains("\n"), "\(line)")
            #expect(line.count < columns, "\(line)")
            let filled = 20 * (index + 1) / Self.inputs
            let bar = "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled) + "]"
            #expect(line.hasPrefix(bar + (columns == 80 ? " Signed \(index + 1) of 30." : " Signed ")), "\(line)")
        }
        // The line is gone before the next words.
        #expect(shown.contains("\r\u{1B}[KSigned 30 inputs."), "\(shown)")
    }

    @Test func withJSONAndProgressATerminalGetsNoBar() async throws {
        let workshop = try await workshop()
        let terminal = try Terminal(workshop, ["sign", "tx.psbt", "--yes", "--json", "--progress"], columns: 80)
        var shown = try await terminal.shows(#""done":30,"#)
        #expect(try await terminal.ending() == .exited(0))
        shown += terminal.rest()
        #expect(!shown.contains("\r\u{1B}[K") && !shown.contains("[#"))
        #expect(try JSONSerialization.jsonObject(with: Data(terminal.output.utf8)) is [String: Any])
    }
}
