import TestSupport
import Testing

@testable import Settings

/// The configuration is read in time that grows as it does.
@Suite struct ConfigurationScalingTests {
    @Test func values() throws {
        // A million letters take less than a processor's caches make of chance.
        try Scaling.expectLinear("letters of a value", upTo: 1 << 24) { size in
            Array(#"{"data-dir":"/\#(String(repeating: "x", count: size))"}"#.utf8)
        } work: { bytes in
            let values = try ConfigurationFile.values(of: bytes, in: "config.json")
            #expect(values.count == 1)
        }
        let samples: [(String, (Int) -> String)] = [
            ("unknown keys", { size in "{" + (0..<size).map { #""x\#($0)":"1""# }.joined(separator: ",") + "}" }),
            ("brackets", { size in String(repeating: "[", count: size) }),
            ("letters of a server", { #"{"chain":"esplora:https://\#(String(repeating: "x", count: $0))"}"# }),
            ("digits of a root", { #"{"root-key":"02\#(String(repeating: "0", count: $0))"}"# }),
            ("letters of a network", { #"{"network":"\#(String(repeating: "x", count: $0))"}"# }),
        ]
        for (what, text) in samples {
            try Scaling.expectLinear(what) { size in
                Array(text(size).utf8)
            } work: { bytes in
                _ = try? ConfigurationFile.values(of: bytes, in: "config.json")
            }
        }
    }
}
