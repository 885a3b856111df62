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
            #expect(backup.masterKey.chainCode == (try row.chainCode("chain_code")))
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
        #expect(throws: TapError.badBackup(.damaged)) { try open(xprv + "m/84h/0h/0h") }
        #expect(throws: TapError.badBackup(.damaged)) { try open(" " + xprv + "\nm\n") }
        #expect(throws: TapError.badBackup(.damaged)) { try open(master.neutered.text + "\nm/84h\n") }
        let child = try master.child(ChildNumber(rawValue: 0))
        #expect(throws: TapError.badBackup(.notMaster)) { try open(child.text + "\nm/84h\n") }
    }

    /// One wrong bit anywhere in the master key is told from a wrong key, and never passes.
    @Test func everyDamageOfTheMasterKeyIsFound() throws {
        let row = try #require(try CardVectors.rows("backup").first)
        let (data, key) = (try row.bytes("data"), try Backup.Key(hex: try row.text("aes_key")))
        let missed = (0..<(111 * 8)).filter { position in
            var damaged = data
            damaged[position / 8] ^= 1 << (position % 8)
            do throws(TapError) { _ = try Backup(decrypting: damaged, key: key) } catch {
                return error != .badBackup(.damaged)
            }
            return true
        }
        #expect(missed.isEmpty)
    }

    /// Without the end of its line nobody knows whether the path is all there; the key is.
    @Test func aPathThatIsCutOffIsNotWhole() throws {
        for row in try CardVectors.rows("backup") {
            let (data, key) = (try row.bytes("data"), try Backup.Key(hex: try row.text("aes_key")))
            let whole = try Backup(decrypting: data, key: key)
            #expect(whole.isPathWhole)
            for count in EncryptedBackup.lengths.lowerBound..<data.count {
                guard let cut = try? Backup(decrypting: Array(data.prefix(count)), key: key) else { continue }
                #expect(!cut.isPathWhole && cut.masterKey.text == whole.masterKey.text)
            }
        }
        #expect(try open(TestCard().master.text + "\nm/84h\nfuture").isPathWhole)
    }

    @Test func anyWrongKeyIsOne() throws {
        var generator = SeededGenerator()
        let row = try #require(try CardVectors.rows("backup").first)
        let data = try row.bytes("data")
        for _ in 0..<2_000 {
            let key = try Backup.Key(hex: Hex.encode(generator.bytes(16...16)))
            #expect(throws: TapError.badBackup(.wrongKey)) { try Backup(decrypting: data, key: key) }
        }
    }

    @Test(arguments: [
        key, key.uppercased(), "0011 2233 4455 6677 8899 AABB CCDD EEFF", "00112233-44556677-8899aabb-ccddeeff",
        "  00112233445566778899aabb\tccddeeff \r",
    ])
    func keysAsPeopleTypeThem(_ text: String) throws {
        let row = try #require(try CardVectors.rows("backup").first)
        let typed = try Backup.Key(typed: Array(text.utf8))
        #expect(typed.secret.isEqual(to: try Backup.Key(hex: Self.key).secret))
        #expect(throws: TapError.badBackup(.wrongKey)) { try Backup(decrypting: try row.bytes("data"), key: typed) }
    }

    @Test(arguments: ["0x" + key, key.dropLast() + "g", key.dropLast() + "+", key + "\u{A0}", "@`G"])
    func whatIsNoTypedKey(_ text: String) {
        #expect(throws: TapError.badBackup(.keyFormat)) { try Backup.Key(typed: Array(text.utf8)) }
    }

    /// Too few or too many digits are told from wrong ones, whatever separates them.
    @Test(arguments: [("", 0), (" - ", 0), (key.dropLast() + " ", 31), (key + "0", 33)])
    func aTypedKeyOfAnotherLength(_ text: String, _ count: Int) {
        let error = #expect(throws: TapError.badBackup(.keyLength(count))) {
            try Backup.Key(typed: Array(text.utf8))
        }
        #expect(error?.code == .badBackupKey)
        #expect(error?.message.hasSuffix("; this one has \(count == 0 ? "none" : "\(count)").") == true)
    }

    @Test func lengths() throws {
        let key = try Backup.Key(hex: Self.key)
        for count in [0, 1, 112, 65_536] {
            #expect(throws: TapError.badBackup(.length(count))) {
                try Backup(decrypting: [UInt8](repeating: 0, count: count), key: key)
            }
        }
        for count in [113, 1_025, 65_535] {
            #expect(throws: TapError.badBackup(.wrongKey)) {
                try Backup(decrypting: [UInt8](repeating: 0, count: count), key: key)
            }
        }
        // What a card gives is saved, unless nothing or too much came.
        for count in [0, 65_536] {
            #expect(throws: TapError.badBackup(.length(count))) {
                try EncryptedBackup([UInt8](repeating: 0, count: count))
            }
        }
        for count in [1, 65_535] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(try EncryptedBackup(bytes).bytes == bytes)
        }
        // Further lines may follow, and as many as they like.
        let long = try TestCard().master.text + "\nm/84h\n" + String(repeating: "future line\n", count: 5_000)
        #expect(try open(long).path.steps.count == 1)
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
