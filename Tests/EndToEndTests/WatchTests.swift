import Foundation
import TestSupport
import Testing

/// `tapkit readers`: what happens at the readers, as it happens, and readers that cannot be used.
@Suite struct WatchTests {
    /// A watch that runs beside a test.
    private struct Watch {
        let process: InteractiveProcess
        let spec: String

        /// Waits for the next event after so many; expects it to be this one, with this card.
        func expect(
            _ events: [String], after count: Int, ident: String? = nil, at location: SourceLocation = #_sourceLocation
        ) async throws {
            for (index, name) in events.enumerated() {
                let number = count + index
                for _ in 0..<3_000 where process.isRunning && lines.count <= number {
                    try await Task.sleep(for: .milliseconds(10))
                }
                let line = try #require(
                    lines.dropFirst(number).first, "no \(name): \(process.text)\(process.errorText)",
                    sourceLocation: location)
                let event = try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], sourceLocation: location)
                #expect(event["event"] as? String == name, "\(process.text)", sourceLocation: location)
                #expect(event["spec"] as? String == spec, sourceLocation: location)
                let card = event["card"] as? [String: Any]
                let found = name == "card_inserted" ? ident : nil
                #expect(card?["ident"] as? String == found, sourceLocation: location)
                #expect(card?["simulated"] as? Bool == found.map { _ in true }, sourceLocation: location)
            }
        }

        /// Complete lines about this reader; an end by Ctrl-C adds one that is no event.
        private var lines: [String] {
            process.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
                .filter { $0.contains("\"event\"") && $0.contains(spec) }
        }
    }

    @Test(arguments: ReaderKind.allCases) func cardsComeAndGo(_ kind: ReaderKind) async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: kind) { card in
            let process = try card.start(["readers", "--watch", "--json"])
            let watch = Watch(process: process, spec: card.spec)
            try await watch.expect(["reader_attached", "card_inserted"], after: 0, ident: workshop.ident)
            try card.pull()
            try await watch.expect(["card_removed"], after: 2)
            try await card.layBack()
            try await watch.expect(["card_inserted"], after: 3, ident: workshop.ident)
            #expect(try await process.stop(signal: SIGINT) == .exited(130))
            let last = try #require(process.text.split(separator: "\n").last)
            let document = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
            #expect(try document.field("error", as: [String: Any].self).text("code") == "interrupted")
        }
    }

    @Test func aChipComesAndGoes() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: .nfc) { card in
            try card.unplug()
            let process = try card.start(["readers", "--watch", "--json"])
            let watch = Watch(process: process, spec: card.spec)
            try await process.errorText(contains: "Watching the readers")
            try await card.plugIn()
            try await watch.expect(["reader_attached", "card_inserted"], after: 0, ident: workshop.ident)
            try card.unplug()
            try await watch.expect(["card_removed", "reader_detached"], after: 2)
            try await card.plugIn()
            try await watch.expect(["reader_attached", "card_inserted"], after: 4, ident: workshop.ident)
            #expect(try await process.stop(signal: SIGINT) == .exited(130))
        }
    }

    /// Who watches into a pipe that nobody reads any more lets the reader go with the next event.
    @Test func aWatchEndsWhenNobodyListens() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop, on: .nfc) { card in
            let script = "{ \"$1\" readers --watch --json --reader \"$2\"; echo \"ended with $?\" >&2; } | head -n 1"
            let watch = try InteractiveProcess(
                "sh", ["-c", script, "sh", Subprocess.tapkit, card.spec], environment: Workshop.nothing)
            try await watch.line()
            try card.pull()
            try await card.layBack()
            try await watch.errorText(contains: "ended with 73")
            #expect(try await watch.ending() == .exited(0))
        }
    }

    /// A port that is configured and not there does not hide that the service is missing too.
    @Test func everyKindOfReaderThatIsMissingIsNamed() async throws {
        let folder = try TemporaryFolder()
        let nothing: [String: String?] = [
            "PCSCLITE_CSOCK_NAME": folder.path("none"), "LIBNFC_DEFAULT_DEVICE": "pn532_uart:\(folder.path("port"))",
        ]
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["readers", "--json"], environment: Workshop.nothing.merging(nothing) { $1 })
        try run.expectFailure(69, "no_reader")
        #expect(run.errorText.contains("(pcscd)"))
    }

    /// The service starts, is killed and starts again under a watch, in namespaces of its own. Before the service starts,
    /// the commands have 0.3 s to begin waiting for it; one that is slower finds it there.
    @Test func theServiceComesAndGoes() async throws {
        let workshop = try await Workshop()
        let script = """
            count() { for try in $(seq 1500); do [ $(grep -c "$1" out.json) -ge $2 ] && return; sleep 0.02; done; }
            "$1" readers --watch --json >out.json 2>err.txt & watch=$!
            "$1" readers --wait=1 --json >late.json; echo $? >late.status
            "$1" readers --wait --json >list.json & waiting=$!
            sleep 0.3
            \(PCSCDaemon.command) >pcscd.log 2>&1 & service=$!
            wait $waiting
            count reader_attached 2
            "$1" sim serve card.json --vpcd 127.0.0.1:35963 >serve.log 2>&1 & server=$!
            count card_inserted 1
            kill -9 $service; wait $service
            count reader_detached 2
            \(PCSCDaemon.command) >pcscd.log 2>&1 & service=$!
            count card_inserted 2
            kill -INT $watch; wait $watch; echo $? >status
            kill $server; wait $server; kill $service; wait $service || true
            """
        try await Subprocess.runApart(
            script, [Subprocess.tapkit], environment: workshop.environment.merging(["TAPKIT_READER": nil]) { $1 },
            directory: workshop.folder.url
        ).succeeded()
        #expect(try workshop.bytes("status") == Array("130\n".utf8))
        #expect(try workshop.bytes("late.status") == Array("69\n".utf8))
        let list = try JSONSerialization.jsonObject(with: Data(try workshop.bytes("list.json"))) as? [String: Any]
        #expect((list?["readers"] as? [Any])?.isEmpty == false)
        let lines = String(decoding: try workshop.bytes("out.json"), as: UTF8.self).split(separator: "\n")
        let documents = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let first = documents.filter { ($0["spec"] as? String)?.hasSuffix("00 00") == true }
        #expect(
            first.map { $0["event"] as? String } == [
                "reader_attached", "card_inserted", "card_removed", "reader_detached", "reader_attached",
                "card_inserted",
            ])
        for event in first where event["event"] as? String == "card_inserted" {
            let card = try #require(event["card"] as? [String: Any])
            #expect(card["product"] as? String == "tapsigner" && card["ident"] as? String == workshop.ident)
            #expect(card["simulated"] as? Bool == true)
        }
        let second = documents.filter { ($0["spec"] as? String)?.hasSuffix("00 01") == true }
        #expect(second.map { $0["event"] as? String } == ["reader_attached", "reader_detached", "reader_attached"])
    }

    /// One reader that cannot be used keeps nobody from the others.
    @Test func aBrokenReaderStandsBesideTheOthers() async throws {
        let workshop = try await Workshop()
        let sandbox = try await PCSCSandbox(card: workshop.cardFile)
        let run = try await sandbox.run(
            Subprocess.tapkit, ["readers", "--json"],
            environment: Workshop.nothing.merging(["LIBNFC_DEVICE": "pn532_uart:\(workshop.folder.path("none"))"]) {
                $1
            },
            directory: workshop.folder.url
        ).succeeded()
        let readers: [[String: Any]] = try run.json().field("readers")
        #expect(try readers.map { try $0.text("backend") }.sorted() == ["nfc", "pcsc", "pcsc"])
        let broken = try #require(readers.first { $0["backend"] as? String == "nfc" })
        #expect(try broken.text("problem").contains("does not exist"))
        #expect(try !broken.text("hint").isEmpty && broken["card"] == nil)
        let cards = readers.compactMap { ($0["card"] as? [String: Any])?["ident"] as? String }
        #expect(cards == [workshop.ident])
        #expect(readers.count { $0["problem"] != nil } == 1)
    }
}
