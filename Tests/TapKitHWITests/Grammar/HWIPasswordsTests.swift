import Bitcoin
import Testing

@testable import TapKitHWI

/// Passwords: read wherever they may stand, erased there, and never repeated.
@Suite struct HWIPasswordsTests {
    private static let secret = "582049137265"

    private static func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }

    private static let spellings: [[String]] = [
        ["-p", secret], ["-p\(secret)"], ["-p=\(secret)"], ["--password", secret], ["--password=\(secret)"],
        ["--pass", secret], ["--pass=\(secret)"], ["-ip", secret], ["-vip\(secret)"], ["-hp", secret],
    ]

    @Test(arguments: spellings) func everySpellingIsErased(_ spelling: [String]) {
        for words in [
            spelling + ["getxpub", "m"], ["getxpub", "m"] + spelling, ["signmessage", "x", "m"] + spelling,
        ] {
            var given = Self.bytes(words)
            for (index, start) in HWIPasswords.places(in: given) {
                for place in start..<given[index].count { given[index][place] = 0x2A }
            }
            let left = given.map { String(decoding: $0, as: UTF8.self) }
            #expect(!left.joined(separator: " ").contains(Self.secret), "\(words)")
            // Nothing else is.
            #expect(left.contains("m") && left.joined().count { $0 == "*" } == Self.secret.count, "\(left)")
        }
    }

    @Test(arguments: spellings.dropLast()) func everySpellingIsRead(_ spelling: [String]) throws {
        for words in [spelling + ["getxpub", "m"], ["getxpub"] + spelling + ["m"], ["getxpub", "m"] + spelling] {
            guard case .command(_, let values) = try HWIParser.request(Self.bytes(words)) else {
                Issue.record("\(words)")
                continue
            }
            #expect(values.password?.withBytes { String(decoding: $0, as: UTF8.self) } == Self.secret)
        }
    }

    @Test(arguments: [
        ["-f", "ab"], ["--path", "x"], ["--stdinpass", "enumerate"], ["-", "p"], ["-x", "p"], ["--"],
    ])
    func nothingElseIsErased(_ words: [String]) { #expect(HWIPasswords.places(in: Self.bytes(words)).isEmpty) }

    /// It need not be text, and may begin as an option does.
    @Test func anyBytesAreAPassword() throws {
        guard case .command(_, let values) = try HWIParser.request([Array("-p".utf8), [0xFF], Array("enumerate".utf8)])
        else {
            Issue.record("no command")
            return
        }
        #expect(values.password?.withBytes { Array($0) } == [0xFF])
        guard case .command(_, let others) = try HWIParser.request(Self.bytes(["-p", "-i", "enumerate"])) else {
            Issue.record("no command")
            return
        }
        #expect(others.password?.withBytes { String(decoding: $0, as: UTF8.self) } == "-i")
    }

    /// Whoever mistypes the option, or the value of another one, does not read it in an error.
    @Test(arguments: [
        ["--passwd", secret, "getxpub", "m"], ["getxpub", "m", "--passwd", secret],
        ["--passwd=\(secret)", "enumerate"],
        ["-P\(secret)", "enumerate"], ["--password\(secret)", "enumerate"], ["--stdinpass=\(secret)", "enumerate"],
        ["--stdinpass", secret], ["--chain", secret, "enumerate"], ["getkeypool", "0", "x\(secret)"],
        ["getdescriptors", "--account", "\(secret)x"], ["getmasterxpub", "--addr-type=\(secret)"],
        ["getxpub", "m", "--unknown", "-p\(secret)"], ["getxpub", "m", secret], ["-p\(secret)"], [secret],
        ["--\(secret)", "enumerate"], ["enumerate", "5820 4913-7265", "--x"],
    ])
    func aMistypedOneIsNotRepeated(_ words: [String]) {
        do throws(HWIUsageError) {
            _ = try HWIParser.request(Self.bytes(words))
            Issue.record("\(words) makes sense")
        } catch {
            #expect(!error.message.contains("5820") && !error.message.contains("7265"), "\(error.message)")
        }
    }
}
