import Bitcoin
import Testing

@testable import TapKitCLI

@Suite struct HWIArgumentsTests {
    private func arguments(_ words: String...) throws -> HWIArguments {
        try HWIArguments(words.map { Array($0.utf8) })
    }

    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func theCommandComesFirst() throws {
        let given = try arguments("--chain", "test", "-fabcd", "--emulators", "-d=x", "getxpub", "--", "-f", "m")
        #expect(
            given.words == ["getxpub", "--chain", "test", "-f", "abcd", "--emulators", "-d", "x", "--", "-f", "m"])
        #expect(given.password == nil)
    }

    @Test func passwordsAreTakenOut() throws {
        for words in [["-p", "1 2"], ["-p1 2"], ["--password", "1 2"], ["--password=1 2"]] {
            let given = try HWIArguments((words + ["enumerate", "-p", "3"]).map { Array($0.utf8) })
            #expect(given.words == ["enumerate", "-p", "3"])
            #expect(text(given.password) == "1 2")
        }
        #expect(throws: HWIError.self) { try arguments("-p") }
    }

    @Test func attachedPasswordsAreTakenOutOfTheCommandsOwnWords() throws {
        let given = try arguments("-i", "getxpub", "m", "-vp12", "--", "-p34")
        #expect(given.words == ["getxpub", "-i", "m", "-v", "--", "-p34"])
        #expect(text(given.password) == "12")
        #expect(text(try arguments("-ivp12", "enumerate").password) == "12")
        #expect(try arguments("getxpub", "--path=x", "-v", "-i").password == nil)
    }

    /// As argparse reads them.
    @Test func optionsMayStandTogetherAndBeShortened() throws {
        for words in [["-if", "abcd"], ["-ifabcd"], ["-if=abcd"]] {
            let given = try HWIArguments((words + ["getxpub", "m"]).map { Array($0.utf8) })
            #expect(given.words == ["getxpub", "-i", "-f", "abcd", "m"])
        }
        #expect(
            try arguments("--finger", "ab", "--em", "getxpub").words == [
                "getxpub", "--fingerprint", "ab", "--emulators",
            ])
        #expect(try arguments("--finger=ab", "getxpub").words == ["getxpub", "--fingerprint=ab"])
        #expect(try arguments("--device", "x", "getxpub").words == ["x", "--device", "getxpub"])
        #expect(try arguments("--network", "test", "getxpub").words == ["getxpub", "--network", "test"])
        for words in [["-ip", "12"], ["-ip=12"], ["-ip12"]] {
            let given = try HWIArguments((words + ["enumerate"]).map { Array($0.utf8) })
            #expect(given.words == ["enumerate", "-i"])
            #expect(text(given.password) == "12")
        }
        for words in [["--pass", "12"], ["--pass=12"], ["-p=12"]] {
            #expect(text(try HWIArguments((words + ["enumerate"]).map { Array($0.utf8) }).password) == "12")
        }
    }

    @Test func whatIsToBeErasedIsFound() {
        #expect(["-p", "-ip", "--password", "--pass"].allSatisfy(HWIArguments.asksForPassword))
        #expect(!["-p1", "-i", "--path", "-f", "-"].contains(where: HWIArguments.asksForPassword))
        #expect(HWIArguments.attachedPassword("-vp=12") == 4 && HWIArguments.attachedPassword("--pass=12") == 7)
    }

    /// Text that begins as a password option does is text.
    @Test func aMessageIsNoPassword() throws {
        let given = try arguments("signmessage", "-please pay me", "m/84h/1h/0h/0/0")
        #expect(given.words == ["signmessage", "--", "-please pay me", "m/84h/1h/0h/0/0"])
        #expect(given.password == nil)
    }

    @Test func nothingElseIsDoneToWhatIsUnknown() throws {
        #expect(try arguments("--unknown", "enumerate").words == ["enumerate", "--unknown"])
        #expect(try arguments("--help").words == ["--help"])
        #expect(throws: HWIError.self) { try HWIArguments([[0xFF]]) }
    }
}
