import CardReaders
import Foundation
import SmartCard
import TestSupport
import Testing

/// A thousand exchanges leave no descriptor open and no memory taken. In a process of its own: other tests open files.
extension ReaderConformance {
    /// One after the other: what reads the output of such a process blocks one of the few threads that the tests share.
    @Test func aThousandExchangesLeaveNothing() async {
        let pcsc = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Leaks.look(for: .pcsc)
        }
        #expect(String(decoding: pcsc?.standardErrorContent ?? [], as: UTF8.self) == "")
        let nfc = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Leaks.look(for: .nfc)
        }
        #expect(String(decoding: nfc?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}

private enum Leaks {
    /// What may come and go without a leak: the allocator's reserves.
    private static let tolerance = 6_000_000
    private static let connections = 50
    private static let exchanges = 20

    static func look(for kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.echo)
            // The first rounds open what stays open, and fill caches.
            for _ in 0..<5 { try converse(with: bench) }
            let (descriptors, memory) = (try openDescriptors(), try residentMemory())
            for _ in 0..<connections { try converse(with: bench) }
            let (laterDescriptors, laterMemory) = (try openDescriptors(), try residentMemory())
            guard laterDescriptors == descriptors, laterMemory < memory + tolerance else {
                let finding = "\(laterDescriptors - descriptors) descriptors, \(laterMemory - memory) bytes"
                FileHandle.standardError.write(Data(finding.utf8))
                exit(1)
            }
        }
    }

    private static func converse(with bench: any ReaderBench) throws {
        let channel = try bench.freshReader().connect()
        for _ in 0..<exchanges {
            guard try channel.transmit([0x00, 0xE1, 0, 200, 0]).count == 202 else { exit(2) }
        }
        channel.disconnect()
    }

    private static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// In bytes.
    private static func residentMemory() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
