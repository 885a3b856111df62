import Foundation
import TestSupport
import Testing

/// The page in a real browser, with simulated cards on a reader of the real `pcscd`, and a real node. One browser at a time:
/// it takes what a small machine has.
@Suite(.serialized) struct PageTests {
    @Test func aSignerIsSetUpPaidAndPaidFrom() async throws {
        let place = try await ChainPlace(Workshop(isSetUp: false))
        let workshop = place.workshop
        let key = try #require(workshop.backupKey)
        let new = "31415926535"
        try await VirtualReaderSlot.withLease { slot in
            let window = workshop.pinentryWindow(Workshop.printedCVC, new, new, key, new)
            let story = try await PageStory.play(
                "signer", in: workshop,
                environment: place.variables.merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "ident": workshop.ident,
                    "node": try await place.chain.payer(),
                ])
            for secret in [Workshop.printedCVC, new, key] { #expect(!(story.served + story.told).contains(secret)) }
        }
        // The page said yes to everything, and the window had every secret.
        #expect(!workshop.pinentryLog.contains("CONFIRM"))
    }

    @Test func aSatscardIsPaidToAndSwept() async throws {
        let place = try await ChainPlace(.satscard("--network", "test"))
        let workshop = place.workshop
        try await VirtualReaderSlot.withLease { slot in
            let window = workshop.pinentryWindow(Workshop.satscardCVC)
            try await PageStory.play(
                "satscard", in: workshop,
                environment: place.variables.merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "ident": workshop.ident,
                    "node": try await place.chain.payer(),
                ])
        }
    }

    @Test func twoOfThreeSignOneAfterTheOther() async throws {
        let cosigners = try await Cosigners(inputs: 6)
        let node = try await BitcoinNode.shared()
        try await VirtualReaderSlot.withLease { slot in
            let window = cosigners.first.pinentryWindow(Workshop.printedCVC)
            try await PageStory.play(
                "cosigners", in: cosigners.first,
                environment: ["TAPKIT_NETWORK": "regtest"].merging(window) { $1 }.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "psbt": cosigners.first.folder.path("tx.psbt"),
                    "cards": [cosigners.first, cosigners.second].map { ["card": $0.cardFile, "ident": $0.ident] },
                    "node": try await node.payer(),
                ])
        }
    }

    /// Without a window the page asks for secrets, and nothing keeps them.
    @Test func thePageAsksForSecretsAndKeepsNone() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let key = try #require(workshop.backupKey)
        try await VirtualReaderSlot.withLease { slot in
            let story = try await PageStory.play(
                "cvc", in: workshop, environment: slot.variable,
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "ident": workshop.ident, "backup_key": key,
                    "psbt": workshop.folder.path("tx.psbt"), "backup": workshop.folder.path("backup.aes"),
                ])
            for secret in [Workshop.printedCVC, "27182818284", key] {
                #expect(!(story.served + story.told).contains(secret))
                #expect(try workshop.storeFiles(containing: secret) == [])
            }
        }
        #expect(workshop.pinentryLog.isEmpty)
    }

    @Test func whatIsWrongIsNamed() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("wallet", "add", "w", "--json").succeeded()
        let other = try await Workshop(isSetUp: false)
        let development = try await Workshop(isSetUp: false, ["--dev-root"])
        let server = try LoopbackSocket.freePort()
        try await VirtualReaderSlot.withLease { slot in
            let chain: [String: String?] = ["TAPKIT_CHAIN": "esplora:http://127.0.0.1:\(server)"]
            try await PageStory.play(
                "bad", in: workshop, environment: chain.merging(slot.variable) { $1 },
                given: [
                    "reader": Int(slot.port), "card": workshop.cardFile, "other": other.cardFile,
                    "development": development.cardFile, "psbt": workshop.folder.path("tx.psbt"),
                    "server": Int(server),
                ])
        }
    }

    /// There is no reader, either.
    @Test func otherPagesReachNothing() async throws {
        try await PCSCDaemon.ensureRunning()
        let workshop = try await Workshop(isSetUp: false)
        try await PageStory.play("attacks", in: workshop, environment: ["TAPKIT_READER": "pcsc:Nothing"])
    }

    @Test func textOfOthersIsText() async throws {
        let place = try await ChainPlace(Workshop())
        let workshop = place.workshop
        try await workshop.writePSBT()
        let policy = SamplePolicy(
            "or_d(pk(#A),and_v(v:pkh(#B),older(144)))", [try await workshop.wallet(), try SampleWallet(seed: 2)])
        try await PageStory.play(
            "hostile", in: workshop,
            environment: place.variables.merging(workshop.pinentryWindow(Workshop.printedCVC)) { $1 },
            given: [
                "psbt": workshop.folder.path("tx.psbt"), "node": try await place.chain.payer(),
                "descriptor": try #require(policy.descriptor().text),
            ])
    }

    @Test func aFeeIsRaised() async throws {
        let place = try await ChainPlace(Workshop())
        let workshop = place.workshop
        try await workshop.writePSBT()
        try await PageStory.play(
            "bump", in: workshop,
            environment: place.variables.merging(workshop.pinentryWindow(Workshop.printedCVC)) { $1 },
            given: ["psbt": workshop.folder.path("tx.psbt"), "node": try await place.chain.payer()])
    }

    /// The desktop is told an address that is another one each time, and programs the one that they are promised. The desktop's
    /// program, and so the browser, gets the user's variables, but none of ours: the chain server's may hold a password.
    @Test func theDesktopOpensThePage() async throws {
        let (workshop, desktop) = (try await Workshop(isSetUp: false), try TemporaryFolder())
        let program = desktop.path("xdg-open")
        try desktop.write(
            "#!/bin/sh\nenv >variables\nprintf %s \"$*\" >opened.part && mv opened.part opened\n", to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = "\(desktop.url.path):/usr/bin:/bin"
        let ui = try workshop.start(
            ["ui", "--json"],
            environment: ["PATH": path, "MINE": "1", "TAPKIT_CHAIN": "core:http://me:hunter2@127.0.0.1:1"])
        let told = try await ui.line()
        let opened = workshop.folder.path("opened")
        while !FileManager.default.fileExists(atPath: opened) { try await Task.sleep(for: .milliseconds(10)) }
        let address = try String(contentsOfFile: opened, encoding: .utf8)
        let form = /http:\/\/(127\.[0-9.]+):([0-9]+)\/#([A-Za-z0-9_-]{43})/
        let drawn = try #require(address.wholeMatch(of: form))
        #expect(drawn.1 != "127.0.0.1")
        let variables = try String(contentsOfFile: workshop.folder.path("variables"), encoding: .utf8)
        #expect(variables.contains("MINE=1\n") && variables.contains("PATH=\(path)\n"))
        #expect(!variables.contains("TAPKIT_") && !variables.contains("hunter2"))
        #expect(told == #"{"url":"http://127.0.0.1:\#(drawn.2)/#\#(drawn.3)"}"#)
        #expect(try await ui.stop(signal: SIGINT) == .exited(0))
    }
}
