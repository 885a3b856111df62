import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// BIP-340's own test vectors; tapkit only verifies.
@Suite struct BIP340Tests {
    private static let file = LedgeredFile.schnorrSignatures

    @Test func verdictsAreThoseOfTheBIP() throws {
        var ledger = try VectorLedger(Self.file)
        let lines = String(decoding: try Vectors.contents(Self.file.path), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        #expect(lines.first?.hasPrefix("index,secret key,public key,aux_rand,message,signature,verification") == true)
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 8 && ["TRUE", "FALSE"].contains(fields[6]))
            let (key, message) = (try Hex.decode(fields[2]), try Hex.decode(fields[4]))
            let isValid = SchnorrSignature.isValid(try Hex.decode(fields[5]), for: message, publicKey: key)
            ledger.enter(fields[0], isValid, expected: fields[6] == "TRUE")
        }
        ledger.close(count: 19)
    }
}
