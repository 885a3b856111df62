import Bitcoin
import ByteCodec
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What a card signs of a wallet, and its forms.
@Suite struct WalletRegistrationTests {
    private let holders: [SampleWallet]
    private let account: DerivationPath

    init() throws {
        holders = try [1, 2, 3].map { try SampleWallet(seed: $0) }
        account = try DerivationPath(parsing: "m/48h/1h/0h/2h")
    }

    private func wallet(_ name: String = "family", _ descriptors: [String]? = nil) throws -> WatchWallet {
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))", holders)
        let texts = try descriptors ?? [try #require(policy.descriptor().text)]
        return try WatchWallet(
            StoredWallet(
                name: name, network: .test, descriptors: texts.map { DescriptorText(stored: $0) },
                created: UnixTime(seconds: 1)))
    }

    private func registration(of wallet: WatchWallet, by holder: Int = 0) throws -> WalletRegistration {
        let salt = [UInt8](repeating: 7, count: WalletRegistration.saltLength)
        let key = try holders[holder].master.descendant(account).privateKey
        let digest = RegisteredContent(wallet).digest(salt: salt)
        return WalletRegistration(salt: salt, signature: key.signGrindingLowR(digest: digest))
    }

    /// Computed by another program from the description alone.
    @Test func whatIsSignedNeverChanges() throws {
        let point = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        let digest = RegisteredContent(try wallet("Büro", ["pk(\(point))"])).digest(salt: Array(0..<16))
        #expect(Hex.encode(digest.bytes) == "f4619c6d12993a70cbfb641627f12107a82718466d53db46099c05c9c2bebf78")
    }

    /// Whatever single bit of the stored descriptor or name is another one, or of the registration itself.
    @Test func everyBitCounts() throws {
        let (wallet, key) = (try wallet(), try holders[0].extendedKey(account).publicKey)
        let registration = try registration(of: wallet)
        #expect(registration.isSignature(of: RegisteredContent(wallet), by: key))
        let text = try #require(wallet.descriptors[0].text)
        let unchecked = String(text.prefix { $0 != "#" })
        var readable = 0
        for index in unchecked.utf8.indices {
            for bit in 0..<8 {
                var bytes = Array(unchecked.utf8)
                bytes[unchecked.utf8.distance(from: unchecked.startIndex, to: index)] ^= 1 << bit
                guard let other = String(validating: bytes, as: UTF8.self),
                    let altered = try? self.wallet("family", [other])
                else { continue }
                // Another way to write the same: `'` for `h`.
                guard altered.descriptors[0].text != text else { continue }
                readable += 1
                #expect(!registration.isSignature(of: RegisteredContent(altered), by: key), "\(other)")
            }
        }
        #expect(readable > 50)
        for name in ["gamily", "famil", "family ", ""] {
            #expect(!registration.isSignature(of: RegisteredContent(try self.wallet(name)), by: key))
        }
        for bit in 0..<WalletRegistration.length * 8 {
            var bytes = registration.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            let altered = WalletRegistration(bytes)
            #expect(altered?.isSignature(of: RegisteredContent(wallet), by: key) != true, "bit \(bit)")
        }
        #expect(
            !registration.isSignature(of: RegisteredContent(wallet), by: try holders[1].extendedKey(account).publicKey))
    }

    /// A registration of hostile size is read in time that grows as it does.
    @Test func readingIsLinear() throws {
        let registration = try registration(of: wallet()).bytes
        for isLong in [true, false] {
            try Scaling.expectLinear("registrations, lines: \(!isLong)", upTo: 1 << 15) { size in
                var bytes = Array("rdesc".utf8) + [1]
                let lines = String(repeating: isLong ? "wpkh(" : "wpkh()\n", count: size)
                for text in ["family", lines, "tapsigner"] { bytes.appendSized(text.utf8) }
                bytes.appendSized(registration)
                return Base64.encode(bytes)
            } work: { text in
                let read = try RegistrationText(parsing: text)
                #expect(!read.descriptors.isEmpty)
            }
        }
    }

    /// One text in two descriptors, or two texts in one, are not the same.
    @Test func textsDoNotRunIntoEachOther() throws {
        let parts = try ["m/48h/1h/0h/2h", "m/48h/1h/1h/2h"].map {
            "wpkh(\(try holders[0].extendedKey(try DerivationPath(parsing: $0)).text)/0/*)"
        }
        let digests = try [("w", parts), ("w", [parts[1], parts[0]]), ("w", [parts[0]]), ("wpkh", [parts[0]])].map {
            RegisteredContent(try wallet($0.0, $0.1)).digest(salt: Array(0..<16))
        }
        #expect(Set(digests).count == digests.count)
    }

    @Test func theTextIsReadAgain() throws {
        let wallet = try wallet()
        let registration = try registration(of: wallet)
        let text = RegistrationText(RegisteredContent(wallet), registration, by: .satschip)
        let read = try RegistrationText(parsing: text.text + "\n")
        #expect(read == text && read.device == "satschip" && read.name == "family")
        #expect(WalletRegistration(read.registration) == registration)
        let bytes = try Base64.decode(text.text)
        for length in 0..<bytes.count {
            #expect(throws: RegistrationError.malformed) {
                try RegistrationText(parsing: Base64.encode(bytes.prefix(length)))
            }
        }
        for other in ["", "rdesc", "é", Base64.encode(bytes + [0]), text.text + "A", "A" + text.text] {
            #expect(throws: RegistrationError.malformed) { try RegistrationText(parsing: other) }
        }
    }

    /// Only the key that the wallet itself names counts, and only for the signer who has it.
    @Test func whoseRegistrationItIs() throws {
        let wallet = try wallet()
        let text = RegistrationText(RegisteredContent(wallet), try registration(of: wallet), by: .tapsigner)
        func keys(_ holder: Int, at path: DerivationPath? = nil) throws -> SignerKeys {
            let path = path ?? account
            let key = try holders[holder].extendedKey(path)
            return SignerKeys(masterFingerprint: holders[holder].fingerprint, accounts: [path: key])
        }
        let claimed = try ClaimedRegistration(text, on: .test)
        #expect(try claimed.isMade(by: keys(0)) == true)
        // Others' keys, and without the key that would show it, nobody knows.
        #expect(try claimed.isMade(by: keys(1)) == nil)
        #expect(try claimed.isMade(by: keys(0, at: DerivationPath(parsing: "m/84h/1h/0h"))) == nil)
        let posing = SignerKeys(
            masterFingerprint: holders[0].fingerprint, accounts: [account: try holders[1].extendedKey(account)])
        #expect(throws: RegistrationError.altered(wallet: "family", holders[0].fingerprint)) {
            try claimed.isMade(by: posing)
        }
        #expect(
            RegisteredContent(wallet).signer(of: try registration(of: wallet, by: 2))?.fingerprint
                == holders[2].fingerprint)
        #expect(RegisteredContent(wallet).signer(of: try registration(of: try self.wallet("x"))) == nil)
    }
}
