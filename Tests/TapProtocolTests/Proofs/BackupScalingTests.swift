import Bitcoin
import ByteCodec
import TapProtocol
import TestSupport
import Testing

/// Backups are opened in time that grows as they do, whatever stands in them.
@Suite struct BackupScalingTests {
    private static let key = "00112233445566778899aabbccddeeff"

    private func sealed(_ plaintext: String) throws -> [UInt8] {
        try #require(AES128CTR.crypt(Array(plaintext.utf8), key: SecretBytes(try Hex.decode(Self.key))))
    }

    @Test func lines() throws {
        let (xprv, key) = (try TestCard().master.text, try Backup.Key(hex: Self.key))
        for (what, start, piece) in [
            ("further lines", xprv + "\nm/84h\n", "\n"), ("letters behind the path", xprv + "\nm/84h\n", "é"),
        ] {
            try Scaling.expectLinear(what, from: 1_024, upTo: 30_000) { size in
                try sealed(start + String(repeating: piece, count: size))
            } work: { bytes in
                let backup = try Backup(decrypting: bytes, key: key)
                #expect(backup.path.steps.count == 1)
            }
        }
        for (what, start, piece) in [
            ("steps", xprv + "\nm", "/0h"), ("digits of a step", xprv + "\nm/", "0"), ("letters", "", "x"),
            ("letters behind the key", xprv, "x"), ("line ends", "", "\n"),
            ("accents of a letter", "a", "\u{301}\u{316}"),
        ] {
            try Scaling.expectLinear("\(what) of a backup that is none", from: 1_024, upTo: 16_000) { size in
                try sealed(start + String(repeating: piece, count: size))
            } work: { bytes in
                #expect(throws: TapError.self) { try Backup(decrypting: bytes, key: key) }
            }
        }
    }

    @Test func keys() throws {
        try Scaling.expectLinear("characters of a key") { size in
            [UInt8](repeating: UInt8(ascii: "-"), count: size)
        } work: { line in
            #expect(throws: TapError.self) { try Backup.Key(typed: line) }
        }
    }
}
