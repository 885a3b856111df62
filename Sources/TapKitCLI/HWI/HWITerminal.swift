import Bitcoin
import Glibc
import Settings
import TapKitHWI
import TapManager
import TapProtocol
import Terminal

/// The process that HWI's callers start, with its streams, terminal, windows, readers and store.
struct HWITerminal: HWIHost {
    private let input = StandardInputLines(limit: Self.inputLimit)
    private let console = Console(isJSON: true)
    /// The largest PSBT, and a little more.
    private static let inputLimit = PSBT.maximumFileSize + (1 << 16)

    // MARK: Answers and remarks

    func answer(_ line: String) { Console.write(line + "\n", to: STDOUT_FILENO) }

    func note(_ lines: [String]) { console.note(lines: lines) }

    func explain(_ error: any Error) -> HWIExplanation { HWIExplanation(Failure(unexpected: error)) }

    // MARK: What was given

    func nextLine() throws -> [UInt8]? { try input.next() }

    // Reading from a terminal in the background would stop this process.
    var hasTypist: Bool { TerminalLine.isOurs }

    var udevRules: [UInt8] { PackageResources._0_tapkit_rules }

    func isReader(_ path: String) -> Bool { ReaderSpec(parsing: path) != nil }

    func equipment(at places: HWIPlaces) throws -> any HWIEquipment { try HWIInvocation(places, console) }
}

extension HWIExplanation {
    /// General hints are about tapkit's command line, which HWI's callers do not see.
    init(_ failure: Failure) {
        self.init(code: failure.code, lines: failure.lines, hint: failure.isHintGeneral ? "" : failure.hint)
    }
}
