import Bitcoin
import Foundation
import TestSupport
import Testing

/// What no card could spend, whom else a script obeys, and what needs no CVC.
@Suite(.fewAtATime) struct HWIReachTests {
    /// Money at such an address only the backup could move.
    @Test func whatTheCardCannotSignForIsNotProven() async throws {
        let hwi = try await HWICommandLine.withCard()
        let words = "cannot sign at"
        try await hwi.expectError(-7, words, "displayaddress", "--path", "m/84h/1h/0h/0/0/0")
        try await hwi.expectError(-7, words, "displayaddress", "--path", "m/1/2/3")
        try await hwi.expectError(-7, words, "getkeypool", "0", "3", "--path", "m/84h/1h/0h/0/1/*")
        let key = try await hwi("getxpub", "m/84h/1h/0h").text("xpub")
        let origin = "[\(hwi.options[2])/84h/1h/0h]"
        try await hwi.expectError(-7, words, "displayaddress", "--desc", "wpkh(\(origin)\(key)/0/0/0)")
        try await hwi.expectError(-7, words, "displayaddress", "--desc", "wpkh(\(origin)\(key)/0/1/*)")
        #expect(try await hwi("displayaddress", "--desc", "wpkh(\(origin)\(key)/0/0)")["address"] is String)
        #expect(try await hwi("displayaddress", "--path", "m/84h/1h/0h/7")["address"] is String)
    }

    /// The card proves its own key; a person must hear of the others.
    @Test func whoElseCanSpendIsSaid() async throws {
        let hwi = try await HWICommandLine.withCard()
        let own = "[\(hwi.options[2])/84h/1h/0h]\(try await hwi("getxpub", "m/84h/1h/0h").text("xpub"))/0/0"
        let stranger = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
        let run = try await hwi.run(["displayaddress", "--desc", "wsh(multi(1,\(stranger),\(own)))"]).succeeded()
        #expect(try run.json()["address"] is String)
        #expect(
            run.errorText.contains(
                "It has 2 keys, any 1 of which can spend. Not this card's, and not verified by it: 1."))
    }

    /// Of a multisig, every key's place counts, from the last hardened step on; and every key is somebody else's.
    @Test func everyCosignersPlaceCounts() async throws {
        let hwi = try await HWICommandLine.withCard()
        let own = "[\(hwi.options[2])/84h/1h/0h]\(try await hwi("getxpub", "m/84h/1h/0h").text("xpub"))"
        let other = try SampleWallet(seed: 9)
        let path = try other.accountPath(.p2wpkh)
        let account = try other.extendedKey(path)
        let theirs = "\(KeyOrigin(fingerprint: other.fingerprint, path: path))\(account.text)"
        for (steps, isRemote) in [("0/0", false), ("7/0/0", true), ("0/1", true), ("0", true)] {
            let text = "wsh(sortedmulti(2,\(own)/0/0,\(theirs)/\(steps)))"
            let run = try await hwi.run(["displayaddress", "--desc", text]).succeeded()
            #expect(try run.json()["address"] is String)
            #expect(run.errorText.contains("WARNING: ") == isRemote, "\(steps): \(run.errorText)")
        }
        let first = try account.descendant(DerivationPath(parsing: "m/0/0")).publicKey
        for twice in ["\(theirs)/0/0,\(theirs)/0/0", "\(theirs)/0/0,\(first)", "\(first),\(first)"] {
            try await hwi.expectError(
                -7, "can sign twice", "displayaddress", "--desc", "wsh(sortedmulti(2,\(own)/0/0,\(twice)))")
        }
    }

    @Test func whoIsThereIsToldWithoutAnyCVC() async throws {
        let hwi = try await HWICommandLine.withCard()
        for source in ["/nowhere/cvc", "-"] {
            #expect(try await hwi.list("enumerate", environment: ["TAPKIT_CVC_FILE": source]).count == 1)
        }
        let rules = hwi.workshop.folder.url.path
        let answer = try await hwi.run(
            ["installudevrules", "--location", rules], environment: ["TAPKIT_CVC_FILE": "/nowhere/cvc"]
        ).succeeded().json()
        #expect(answer["success"] as? Bool == true)
        // The network's name as a word of its own, as tapkit's other verbs take it.
        let run = try await hwi.workshop.tapkit(
            ["hwi", "--emulators", "--network", "test", "-t", "tapsigner", "getxpub", "m/84h/1h/0h"])
        #expect(try run.json().text("xpub").hasPrefix("tpub"))
    }

    /// Whoever mistypes the option of a password does not read it in an error.
    @Test func aMistypedPasswordIsNotRepeated() async throws {
        let hwi = try await HWICommandLine.withCard()
        let run = try await hwi.run(["--passwd", Workshop.printedCVC, "getxpub", "m"])
        #expect(run.status == 2)
        #expect(!(run.text + run.errorText).contains(Workshop.printedCVC), "\(run.text)")
    }
}
