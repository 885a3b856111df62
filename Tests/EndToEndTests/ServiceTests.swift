import Bitcoin
import Foundation
import TestSupport
import Testing

/// `tapkit serve`, used by the handbook's client.
@Suite(.fewAtATime) struct ServiceTests {
    private let workshop: Workshop

    init() async throws {
        workshop = try await Workshop()
        let page = try String(
            contentsOf: Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Service.md"),
            encoding: .utf8)
        let client = try #require(page.firstMatch(of: /```python\n((?s:.+?))```/)).1
        #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 51)
        try workshop.folder.write(String(client), to: "client.py")
    }

    private var socket: String { workshop.folder.path("tapkit.sock") }
    private var variables: [String: String?] { ["XDG_RUNTIME_DIR": workshop.folder.url.path] }

    /// Starts the service, with a pinentry that knows the CVC.
    private func serve(
        _ options: String..., answers: [String] = [Workshop.printedCVC]
    ) async throws -> InteractiveProcess {
        let service = try workshop.start(
            ["serve", "--json"] + options, environment: variables.merging(workshop.pinentry(answers)) { $1 })
        #expect(try await service.line() == #"{"socket":"\#(socket)"}"#)
        return service
    }

    private func client(_ method: String, _ params: String = "{}", input: String = "") async throws -> Subprocess {
        let run = try await Subprocess.run(
            "/usr/bin/python3", ["client.py", method, params], input: Data(input.utf8), environment: variables,
            directory: workshop.folder.url)
        return try await Judges.judged(run)
    }

    /// What pinentry was told with a setting.
    private func told(_ setting: String) -> [String] {
        workshop.pinentryLog.filter { $0.hasPrefix(setting) }
    }

    @Test func theHandbooksClientSigns() async throws {
        let service = try await serve()
        #expect(try await client("card.prove").succeeded().json().text("ident") == workshop.ident)
        let psbt = try await workshop.writePSBT(to: "tx.b64", as: .base64)
        let answer = try await client("sign", #"{"psbt":"\#(psbt.base64Text)"}"#).succeeded()
        #expect(try answer.json()["complete"] as? Bool == true)
        #expect(answer.errorText.contains(#"progress {"call": 1, "card": "\#(workshop.ident)""#))
        let description = try #require(told("SETDESC").first)
        #expect(told("SETDESC").count == 1 && description.contains("is needed to sign a transaction that pays "))
        #expect(description.contains(", at the request of python3") && description.hasSuffix("."))
        // The answer has what the command answers.
        let shown = try await workshop.tapkit("tx", "show", "\(psbt.unsignedTransaction.id)", "--json").json()
        let served = try await client("transaction.show", #"{"id":"\#(psbt.unsignedTransaction.id)"}"#).json()
        #expect(NSDictionary(dictionary: shown) == NSDictionary(dictionary: served))
        #expect(!(service.text + service.errorText + answer.text + answer.errorText).contains(Workshop.printedCVC))
        #expect(try await service.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    /// The client asks its own user, and pinentry is not started.
    @Test func theHandbooksClientAsks() async throws {
        let service = try await serve()
        let psbt = try await workshop.writePSBT(to: "tx.b64", as: .base64).base64Text
        let no = try await client("sign", #"{"psbt":"\#(psbt)","asks":"client"}"#, input: "n\n")
        #expect(no.status == 1 && no.text.contains(#""declined""#))
        let yes = try await client(
            "sign", #"{"psbt":"\#(psbt)","asks":"client"}"#, input: "y\n\(Workshop.printedCVC)\n"
        ).succeeded()
        #expect(try yes.json()["complete"] as? Bool == true)
        #expect(workshop.pinentryLog.isEmpty)
        #expect(!(service.text + service.errorText).contains(Workshop.printedCVC))
        #expect(try await service.stop(signal: SIGINT) == .exited(0))
    }

    /// pinentry asks for a new CVC twice, and for a backup's key, in windows that name the program.
    @Test func newCVCsAndBackupKeysAreAskedForInWindows() async throws {
        let (new, key) = ("314159", try #require(workshop.backupKey))
        let service = try await serve(answers: [Workshop.printedCVC, new, new, key, new])
        let changed = try await client("card.setup", #"{"keep_cvc":false}"#).succeeded()
        #expect(try changed.json()["cvc_changed"] as? Bool == true)
        // The card was ready: first it is asked whether to change it.
        #expect(workshop.pinentryLog.count { $0 == "CONFIRM" } == 1)
        #expect(told("SETDESC").first?.contains("is already set up") == true)
        let windows = told("SETDESC").filter { $0.contains("new CVC of") }
        #expect(windows.count == 2 && windows.allSatisfy { $0.contains("python3") && $0.hasSuffix(" asks for it.") })
        let backup = Data(try workshop.bytes("backup.aes")).base64EncodedString()
        let checked = try await client("backup.verify", #"{"content":"\#(backup)"}"#).succeeded()
        #expect(try checked.json().field("card", as: [String: Any].self)["matches"] as? Bool == true)
        #expect(workshop.pinentryLog.count { $0 == "GETPIN" } == 5)
        let texts = [service.text, service.errorText, changed.text, changed.errorText, checked.text, checked.errorText]
        for secret in [new, key, Workshop.printedCVC] { #expect(!texts.joined().contains(secret)) }
        _ = try await service.stop()
    }

    /// A no in a window says what it left undone.
    @Test func whatWasDeclinedIsSaid() async throws {
        let service = try await serve(answers: [Workshop.printedCVC, "?no"])
        let setup = try await client("card.setup", #"{"keep_cvc":false}"#)
        #expect(setup.status == 1 && setup.text.contains("Cancelled. Nothing was changed."))
        try await workshop.tapkit("wallet", "add", "w", "--json").succeeded()
        let lease = try await client(
            "lease.request", #"{"wallet":"w","minutes":5,"signatures":5,"limit_sat":1000}"#)
        #expect(lease.status == 1 && lease.text.contains("Cancelled. No lease was granted."))
        _ = try await service.stop()
    }

    @Test func thePageNamesEveryMethodAndErrorsAreTheCommands() async throws {
        let service = try await serve()
        let page = try String(
            contentsOf: Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Service.md"),
            encoding: .utf8)
        let methods = try await client("rpc.discover").json().field("methods", as: [[String: Any]].self)
        #expect(methods.count == 36)
        for method in methods { #expect(page.contains("`\(try method.text("name"))`")) }
        let failure = try await client("wallet.show", #"{"wallet":"none"}"#)
        #expect(failure.status == 1 && failure.text.contains(#""no_such_wallet""#))
        #expect(try await client("doctor").succeeded().json()["usable"] as? Bool == true)
        _ = try await service.stop()
    }

    /// A program of the same user may read another one's memory, but not the service's, which keeps CVCs.
    @Test func itsMemoryIsItsOwn() async throws {
        // Without root's capabilities, as any person's programs are.
        let plain = ["--bounding-set=-all", "--inh-caps=-all"]
        func look(at process: Int32) async throws -> Int32 {
            try await Subprocess.run("setpriv", plain + ["head", "-c", "1", "/proc/\(process)/maps"]).status ?? -1
        }
        let service = try InteractiveProcess(
            "setpriv", plain + [Subprocess.tapkit, "serve", "--json"],
            environment: workshop.environment.merging(variables) { $1 }, directory: workshop.folder.url)
        try await service.line { $0.contains("socket") }
        let other = try InteractiveProcess("setpriv", plain + ["sh", "-c", "echo ready; read line"])
        try await other.line { $0 == "ready" }
        #expect(try await look(at: other.identifier) == 0)
        #expect(try await look(at: service.identifier) != 0)
        await other.kill()
        #expect(try await service.stop() == .exited(0))
    }

    /// Killed with a lease and a signature: the signature is in the store, the lease is nowhere.
    @Test func aKilledServiceLeavesSignaturesAndNoLease() async throws {
        try await workshop.tapkit("wallet", "add", "w", "--json").succeeded()
        let service = try await serve()
        let psbt = try await workshop.writePSBT(to: "tx.b64", as: .base64)
        let holder = try InteractiveProcess(
            "/usr/bin/python3",
            [
                "-u", "-c",
                """
                import sys
                exec(open("client.py").read().split("\\n\\nservice = ")[0])
                service = Tapkit("tapkit.sock")
                lease = {"wallet": "w", "minutes": 5, "signatures": 5, "limit_sat": 1000000}
                print(service.call("lease.request", lease)["result"]["signatures_left"])
                print(service.call("sign", {"psbt": sys.argv[1]})["result"]["complete"])
                service.lines.readline()
                """, psbt.base64Text,
            ], environment: variables, directory: workshop.folder.url)
        try await holder.line { $0 == "5" }
        try await holder.line { $0 == "True" }
        // The lease was granted, and then nobody was asked.
        #expect(workshop.pinentryLog.count { $0 == "CONFIRM" } == 1)
        #expect(workshop.pinentryLog.count { $0 == "GETPIN" } == 1)
        // What the CVC is typed for is what it is kept for.
        #expect(told("SETDESC").last?.contains("sign for 5 minutes without asking you") == true)
        await service.kill()
        let again = try await serve()
        #expect(try await client("lease.list").json()["leases"] as? [String] == [])
        let list = try await client("transactions").json().field("transactions", as: [[String: Any]].self)
        #expect(try list.map { try $0.text("state") } == ["complete"])
        _ = try await again.stop()
    }

    /// As systemd starts it: the socket is there before and afterwards, and the service ends when nobody needs it.
    @Test func systemdStartsItAndItEndsWhenIdle() async throws {
        let service = try InteractiveProcess(
            "/usr/bin/python3",
            [
                "-c",
                """
                import os, socket, sys
                listener = socket.socket(socket.AF_UNIX)
                listener.bind("tapkit.sock")
                listener.listen()
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)
                os.environ["LISTEN_PID"] = str(os.getpid())
                os.environ["LISTEN_FDS"] = "1"
                # Longer than a client takes to start on a machine that is busy: nobody else holds the socket here.
                os.execv(sys.argv[1], ["tapkit", "serve", "--json", "--idle", "20"])
                """, Subprocess.tapkit,
            ], environment: workshop.environment.merging(variables) { $1 }, directory: workshop.folder.url)
        #expect(try await service.line() == #"{"socket":"tapkit.sock"}"#)
        #expect(try await client("version").succeeded().json()["version"] != nil)
        #expect(try await service.ending() == .exited(0))
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test func oneServiceAtASocketAndNoOptionThatItDoesNotHave() async throws {
        let service = try await serve()
        let second = try await workshop.tapkit(["serve", "--json"], environment: variables)
        try second.expectFailure(64, "usage")
        #expect(second.text.contains("Another process already listens at"))
        for option in [["--yes"], ["--card", "X"], ["--wait", "1"], ["--network", "test"], ["--idle", "0"]] {
            try await workshop.tapkit(["serve", "--json"] + option, environment: variables).expectFailure(64, "usage")
        }
        let noFolder = try await workshop.tapkit(["serve", "--json"], environment: ["XDG_RUNTIME_DIR": nil])
        try noFolder.expectFailure(78, "bad_environment")
        _ = try await service.stop()
    }
}
