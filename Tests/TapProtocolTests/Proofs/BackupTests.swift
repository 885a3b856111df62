import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct BackupTests {
    @Test func opensThePublishedBackups() throws {
        let rows = try CardVectors.rows("backup")
        #expect(rows.count == 5)
        for row in rows {
            let key = try Backup.Key(hex: try row.text("aes_key"))
            let backup = try Backup(decrypting: try row.bytes("data"), key: key)
            #expect(backup.masterKey.text == (try row.text("xprv")), "\(row.testDescription)")
            #expect(backup.path == (try row.path()), "\(row.testDescription)")
            #expect(backup.masterKey.chainCode == (try row.bytes("chain_code")))
            #expect(backup.masterKey.neutered.fingerprint.description == (try row.text("master_xfp")))
            #expect(backup.belongs(to: backup.masterKey.neutered))
            let derived = try backup.masterKey.descendant(backup.path).neutered
            #expect(derived.text == (try row.text("derived_xpub")))
            #expect(!backup.belongs(to: derived) || backup.path.steps.isEmpty)
        }
    }

    @Test func aWrongKeyIsSaidToBeOne() throws {
        let rows = try CardVectors.rows("backup_wrong_key")
        #expect(rows.count == 1)
        for row in rows {
            #expect(throws: TapError.badBackup(.wrongKey)) {
                try Backup(decrypting: try row.bytes("data"), key: try Backup.Key(hex: try row.text("aes_key")))
            }
        }
    }

    private static let key = "00112233445566778899aabbccddeeff"

    private func open(_ plaintext: String) throws -> Backup {
        let secret = SecretBytes(try Hex.decode(Self.key))
        let data = try #require(AES128CTR.crypt(Array(plaintext.utf8), key: secret))
        return try Backup(decrypting: data, key: try Backup.Key(hex: Self.key))
    }

    @Test func linesThatAreNone() throws {
        let master = try TestCard().master
        let xprv = master.text
        #expect(try open(xprv + "\nm\n").path == DerivationPath())
        #expect(try open(xprv + "\nm/84h").path.steps.count == 1)
        #expect(try open(xprv + "\nm/84h\nfuture line\n").path.steps.count == 1)
        for path in ["m/84", "x", "", "m/0h/0h/0h/0h/0h/0h/0h/0h/0h", "m/0xh", "m/0x80000000h"] {
            #expect(throws: TapError.badBackup(.path), "\(path)") { try open(xprv + "\n" + path + "\n") }
        }
        #expect(throws: TapError.badBackup(.wrongKey)) { try open(xprv + "m/84h/0h/0h") }
        #expect(throws: TapError.badBackup(.wrongKey)) { try open(" " + xprv + "\nm\n") }
        #expect(throws: TapError.badBackup(.wrongKey)) { try open(master.neutered.text + "\nm/84h\n") }
        let child = try master.child(ChildNumber(rawValue: 0))
        #expect(throws: TapError.badBackup(.notMaster)) { try open(child.text + "\nm/84h\n") }
    }

    @Test func lengths() throws {
        let key = try Backup.Key(hex: Self.key)
        for count in [0, 112, 1_025] {
            #expect(throws: TapError.badBackup(.length(count))) {
                try Backup(decrypting: [UInt8](repeating: 0, count: count), key: key)
            }
        }
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 31), String(repeating: "0", count: 33), "zz" + key.dropFirst(2),
    ])
    func keysAre32HexadecimalDigits(text: String) {
        #expect(throws: TapError.badBackup(.keyFormat)) { try Backup.Key(hex: text) }
    }

    @Test func descriptionsShowNothing() throws {
        let key = try Backup.Key(hex: Self.key)
        #expect("\(key)" == "<backup key>")
        var text = ""
        dump(key, to: &text)
        #expect(!text.contains("17") && !text.contains("0011"))
    }
}
