import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TestSupport
import Testing

@Suite struct DescriptorExportTests {
    /// What is exported of a card at a path.
    private func descriptors(at path: String) async throws -> (descriptors: [String], account: Account) {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let account = try await bench.run {
            try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(DerivationPath(parsing: path))
        }
        return (DescriptorExport(account).descriptors, account)
    }

    @Test(arguments: [
        ("m/44h/1h/0h", "pkh(", ")"), ("m/49h/1h/5h", "sh(wpkh(", "))"), ("m/84h/1h/0h", "wpkh(", ")"),
    ]) func thePurposeNamesTheScriptType(_ path: String, _ start: String, _ end: String) async throws {
        let (descriptors, account) = try await descriptors(at: path)
        let origin = "[\(account.masterFingerprint)\(path.dropFirst())]"
        let body = "\(start)\(origin)\(account.key.text)/<0;1>/*\(end)"
        #expect(descriptors.count == 1)
        let text = try #require(descriptors.first)
        #expect(text.count == body.count + 1 + DescriptorChecksum.length)
        #expect(try DescriptorChecksum.verify(text) == body)
    }

    @Test(arguments: ["m", "m/48h/1h/0h/2h", "m/1h"]) func otherPathsGiveEveryType(_ path: String) async throws {
        let (descriptors, _) = try await descriptors(at: path)
        #expect(descriptors.map { $0.prefix { $0 != "[" } } == ["wpkh(", "sh(wpkh(", "pkh("])
    }
}
