import Testing

@testable import TapKitCLI

@Suite struct CommandLineTextTests {
    @Test(arguments: [
        (["status"], ["status"]),
        (["--reader", "pcsc:X", "status"], ["status", "--reader", "pcsc:X"]),
        (["--reader=sim:f", "--json", "sign", "f"], ["sign", "f", "--reader=sim:f", "--json"]),
        (["-v", "-y", "--card", "AB", "sign", "f"], ["sign", "f", "-v", "-y", "--card", "AB"]),
        (["-yv", "sign", "f"], ["sign", "f", "-y", "-v"]),
        (["-yx", "sign", "f"], ["-yx", "sign", "f"]),
        (["status", "--wait"], ["status", "--wait=forever"]),
        (["--wait", "status"], ["status", "--wait=forever"]),
        (["status", "--wait=5"], ["status", "--wait=5"]),
        (["--wait=5", "status"], ["status", "--wait=5"]),
        (["status", "--wait", "5"], ["status", "--wait=5"]),
        (["--wait", "5", "status"], ["status", "--wait=5"]),
        (["--wait", "86400", "--json", "status"], ["status", "--wait=86400", "--json"]),
        (["sign", "--wait", "tx.psbt"], ["sign", "--wait=forever", "tx.psbt"]),
        // A file called 3 is named ./3, or stands before the option.
        (["sign", "3", "--wait"], ["sign", "3", "--wait=forever"]),
        (["sign", "--wait", "./3"], ["sign", "--wait=forever", "./3"]),
        (["sign", "--wait=7", "3"], ["sign", "--wait=7", "3"]),
        (["sign", "--wait", "--", "3"], ["sign", "--wait=forever", "--", "3"]),
        (["--wait", "sign", "3"], ["sign", "3", "--wait=forever"]),
        // The beginning of a transaction's id.
        (["tx", "sign", "--wait", "481234"], ["tx", "sign", "--wait=forever", "481234"]),
        (["status", "--wait", "-1"], ["status", "--wait=forever", "-1"]),
        (["status", "--wait", ""], ["status", "--wait=forever", ""]),
        (["status", "--wait", "\u{0663}"], ["status", "--wait=forever", "\u{0663}"]),
        (["--root-key", "02", "--root-key", "03", "status"], ["status", "--root-key", "02", "--root-key", "03"]),
        (["--json", "derive", "--", "--wait"], ["derive", "--json", "--", "--wait"]),
        (["sign", "--", "--json"], ["sign", "--", "--json"]),
        (["--reader"], ["--reader"]),
        (["--version"], ["--version"]),
        (["--json"], ["--json"]),
        ([], []),
    ])
    func optionsOfEveryVerbMayStandBeforeIt(_ typed: [String], _ parsed: [String]) {
        #expect(CommandLineText.normalized(typed) == parsed)
    }

    @Test(arguments: [
        (["address", "--qr"], ["address", "--qr=terminal"]),
        (["address", "--qr", "--json"], ["address", "--qr=terminal", "--json"]),
        (["address", "--qr", "-v"], ["address", "--qr=terminal", "-v"]),
        (["--json", "address", "--qr"], ["address", "--qr=terminal", "--json"]),
        (["address", "--qr", "--slot", "2"], ["address", "--qr=terminal", "--slot", "2"]),
        (["address", "--qr", "a.png"], ["address", "--qr", "a.png"]),
        (["address", "--qr", "terminal"], ["address", "--qr", "terminal"]),
        (["address", "--qr=a.svg"], ["address", "--qr=a.svg"]),
        (["address", "--qr", "--"], ["address", "--qr=terminal", "--"]),
        (["address", "--qr", "--wait"], ["address", "--qr=terminal", "--wait=forever"]),
        (["--wait", "address", "--qr"], ["address", "--qr=terminal", "--wait=forever"]),
        (["message", "sign", "--", "--qr"], ["message", "sign", "--", "--qr"]),
        (["address", "--qr", ""], ["address", "--qr", ""]),
    ])
    func aBareCodeIsDrawnInTheTerminal(_ typed: [String], _ parsed: [String]) {
        #expect(CommandLineText.normalized(typed) == parsed)
        #expect(CommandLineText.normalized(parsed) == parsed)
    }

    @Test(arguments: [
        (["wallet", "--json", "list"], ["wallet", "list", "--json"]),
        (["--yes", "wallet", "--data-dir", "D", "list"], ["wallet", "list", "--yes", "--data-dir", "D"]),
        (["wallet", "--json", "labels", "-v", "export", "w"], ["wallet", "labels", "export", "w", "--json", "-v"]),
        (["tx", "--wait", "sign", "3"], ["tx", "sign", "3", "--wait=forever"]),
        (["tx", "--wait", "5", "sign", "3"], ["tx", "sign", "3", "--wait=5"]),
        (["tx", "--wait=5", "sign", "3"], ["tx", "sign", "3", "--wait=5"]),
        (["tx", "--chain=core:u", "sync", "--", "--json"], ["tx", "--chain=core:u", "sync", "--", "--json"]),
        (["backup", "--json", "verify", "b.aes"], ["backup", "verify", "b.aes", "--json"]),
        (["url", "--json", "verify", "--", "x"], ["url", "verify", "--json", "--", "x"]),
        // The group is a verb itself, or the word is an option's value.
        (["backup", "--json"], ["backup", "--json"]),
        (["backup", "--json", "-o", "verify"], ["backup", "--json", "-o", "verify"]),
        (["backup", "--data-dir", "verify"], ["backup", "--data-dir", "verify"]),
        (["backup", "--", "verify"], ["backup", "--", "verify"]),
    ])
    func theyMayStandInsideIt(_ typed: [String], _ parsed: [String]) {
        #expect(CommandLineText.normalized(typed) == parsed)
        #expect(CommandLineText.normalized(parsed) == parsed)
    }

    @Test func anUnknownVerbIsNamedBehindThem() throws {
        #expect(throws: Failure.self) { try TapkitCommand.requireVerb(["tx", "--chain=core:u", "sync"]) }
        for right in [["backup", "--data-dir", "verify"], ["tx", "--json"], ["tx", "--help"], ["status", "--json"]] {
            try TapkitCommand.requireVerb(right)
        }
    }

    @Test func anEmptyTextIsNoPartOfAnIdent() throws {
        #expect(throws: (any Error).self) { try GlobalOptions.parse(["--card", ""]) }
        #expect(try GlobalOptions.parse(["--card", "A"]).cardText == "A")
    }

    @Test func whatComesOutStaysAsItIs() {
        let once = CommandLineText.normalized(["--reader", "nfc", "--wait", "3", "sign", "f", "--", "--wait"])
        #expect(CommandLineText.normalized(once) == once)
    }
}
