import Foundation
import TestSupport
import Testing

@testable import Pinentry

/// Which pinentry is taken.
@Suite struct PinentryProgramTests {
    @Test(arguments: [
        ("pinentry-program /usr/bin/pinentry-qt", "/usr/bin/pinentry-qt"),
        (
            "# pinentry-program /no\n\n  pinentry-program\t/usr/bin/pinentry-tty  \r\ndefault-cache-ttl 5",
            "/usr/bin/pinentry-tty"
        ),
        ("pinentry-program \"/opt/my pinentry\"", "/opt/my pinentry"),
        ("pinentry-program /first\npinentry-program /last", "/last"),
        ("pinentry-program relative", nil), ("pinentry-programs /x", nil), ("", nil),
    ])
    func gnuPGsConfigurationNamesIt(_ text: String, _ path: String?) {
        #expect(PinentryProgram.program(in: text) == path)
    }

    @Test func theOwnVariableBeatsGnuPGAndThatBeatsThePath() throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appendingPathComponent("home/.gnupg")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try Data("pinentry-program /from/home\n".utf8).write(to: home.appendingPathComponent("gpg-agent.conf"))
        try folder.write("pinentry-program /from/gnupghome\n", to: "gpg-agent.conf")
        let program = try folder.write("#!/bin/sh\n", to: "pinentry")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)

        var variables = ["PATH": "relative:/nowhere:\(folder.url.path):/usr/bin"]
        #expect(PinentryProgram { variables[$0] }?.path == program)
        variables["HOME"] = folder.path("home")
        #expect(PinentryProgram { variables[$0] }?.path == "/from/home")
        variables["GNUPGHOME"] = folder.url.path
        #expect(PinentryProgram { variables[$0] }?.path == "/from/gnupghome")
        variables["TAPKIT_PINENTRY"] = "/from/variable"
        #expect(PinentryProgram { variables[$0] }?.path == "/from/variable")
    }

    /// Debian's alternative, which the machine that tests run on has.
    @Test func withoutAPathItIsDebians() {
        #expect(PinentryProgram { _ in nil }?.path == "/usr/bin/pinentry")
    }

    /// Debian's `pinentry` is a link to the one that was chosen.
    @Test(arguments: [
        ("pinentry-gnome3", true), ("pinentry-qt", true), ("pinentry-curses", false), ("pinentry-tty", false),
    ])
    func theFilesNameTellsWhetherItHasWindows(_ name: String, _ hasWindows: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("#!/bin/sh\n", to: name)
        let link = folder.path("pinentry")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let pinentry = try #require(Pinentry(environment: { $0 == "TAPKIT_PINENTRY" ? link : nil }, interruption: -1))
        #expect(pinentry.hasWindows == hasWindows)
    }
}
