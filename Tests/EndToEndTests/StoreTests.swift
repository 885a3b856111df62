import Bitcoin
import Foundation
import TapManager
import TestSupport
import Testing

/// `tapkit store`: as people and scripts use it.
@Suite struct StoreTests {
    let folder: TemporaryFolder
    let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    private func tapkit(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["store"] + arguments, environment: ["TAPKIT_DATA_DIR": data], directory: folder.url)
    }

    private func makeStore() throws -> SQLiteStore {
        let store = try SQLiteStore.open(folder: data) { UnixTime(seconds: 1) }
        _ = try store.merge(SampleWallet(seed: 1).psbt(), note: "\u{1B}[31mred", at: UnixTime(seconds: 1))
        return store
    }

    @Test(arguments: ["check", "backup", "export"]) func withoutAStoreThereIsNothingToDo(_ verb: String) async throws {
        let run = try await tapkit(verb, "--json")
        #expect(run.status == 66)
        #expect((try run.json()["error"] as? [String: Any])?["code"] as? String == "no_input_file")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test func aWholeStoreIsWhole() async throws {
        let store = try makeStore()
        let answer = try await tapkit("check", "--json").succeeded().json()
        #expect(answer["ok"] as? Bool == true)
        #expect(answer["file"] as? String == store.path)
        #expect(Set(answer.keys) == ["ok", "file"])
        let words = try await tapkit("check").succeeded().text
        #expect(words.contains("is intact.") && words.contains("  1 transaction\n"))
    }

    @Test func aDamagedStoreIsDescribedAndStays() async throws {
        mkdir(data, 0o700)
        try Data(repeating: 65, count: 5_000).write(to: URL(fileURLWithPath: data + "/store.sqlite"))
        let run = try await tapkit("check", "--json")
        #expect(run.status == 65)
        let answer = try run.json()
        #expect(answer["ok"] as? Bool == false)
        #expect(answer["file"] as? String == data + "/store.sqlite")
        #expect(answer["problems"] as? [String] == ["file is not a database"])
        #expect((answer["error"] as? [String: Any])?["code"] as? String == "store_damaged")
        #expect(try await tapkit("check").status == 65)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["store.sqlite"])
        // Whoever wants to use it puts it aside; then there is none.
        #expect(try await tapkit("backup", "--json").status == 65)
        #expect(try await tapkit("backup", "--json").status == 66)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: data).contains { $0.hasPrefix("store.sqlite.damaged-") }
        )
    }

    /// A page that is not a transaction's: the transactions are written out, and the file stays until its owner moves it.
    @Test func whatCanBeReadOfADamagedStoreIsWrittenOut() async throws {
        _ = try makeStore()
        let whole = try await tapkit("export", "-o", "-", "--json").succeeded().json()
        let file = data + "/store.sqlite"
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sqlite3, sys
                database = sqlite3.connect(sys.argv[1])
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                size = database.execute("PRAGMA page_size").fetchone()[0]
                page = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'label'").fetchone()[0]
                database.close()
                with open(sys.argv[1], "r+b") as file:
                    file.seek((page - 1) * size)
                    file.write(b"A" * size)
                """, file,
            ]
        ).succeeded()
        #expect(try await tapkit("check", "--json").status == 65)
        let run = try await tapkit("export", "-o", "rest.json", "--json")
        try run.expectFailure(65, "store_damaged")
        let text = try Data(contentsOf: folder.url.appendingPathComponent("rest.json"))
        let rest = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let (left, right) = (whole["transactions"] as? [NSDictionary], rest["transactions"] as? [NSDictionary])
        #expect(left == right && left?.count == 1)
        #expect((rest["unreadable"] as? [String])?.count == 1)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// The export is one object; what is wrong with the store is on standard error.
    @Test func whatIsExportedToStandardOutputStaysOneObject() async throws {
        let file = try makeStore().path
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
                    + "d.execute(\"UPDATE psbt_content SET bytes = x'00'\"); d.commit()",
                file,
            ]
        ).succeeded()
        for options in [[], ["--json"]] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["store", "export", "-o", "-"] + options, environment: ["TAPKIT_DATA_DIR": data],
                directory: folder.url)
            #expect(run.status == 65)
            let export = try run.json()
            #expect((export["unreadable"] as? [String])?.count == 1 && export["error"] == nil, "\(run.text)")
            #expect(run.errorText.contains("was written to standard output. Not readable:"), "\(run.errorText)")
        }
    }

    @Test(arguments: ["backup", "export"]) func aCopyIsNewAndClosedToOthers(_ verb: String) async throws {
        let store = try makeStore()
        let answer = try await tapkit(verb, "--json").succeeded().json()
        let name = try #require(answer["file"] as? String)
        #expect(name.wholeMatch(of: /tapkit-store-\d{8}-\d{6}\.(sqlite|json)/) != nil)
        #expect(answer["ok"] as? Bool == true)
        var information = stat()
        #expect(stat(folder.path(name), &information) == 0)
        #expect(information.st_mode & 0o7777 == 0o600)
        let again = try await tapkit(verb, "-o", name, "--json")
        #expect(again.status == 73)
        #expect((try again.json()["error"] as? [String: Any])?["code"] as? String == "would_overwrite")
        #expect(try await tapkit(verb, "-o", "no/where", "--json").status == 73)
        #expect(try await tapkit(verb, "-o", "named").succeeded().text.contains("named"))
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["data", name, "named"])
        #expect(try store.transactionCount() == 1)
    }

    @Test func theExportGoesToStandardOutput() async throws {
        _ = try makeStore()
        for options in [[], ["--json"]] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["store", "export", "-o", "-"] + options, environment: ["TAPKIT_DATA_DIR": data],
                directory: folder.url
            ).succeeded()
            #expect((try run.json()["transactions"] as? [Any])?.count == 1)
            #expect(!run.output.contains(0x1B))
        }
        #expect(try await tapkit("backup", "-o", "-").status == 64)
        #expect(
            try await Subprocess.run(
                "sh", ["-c", #"exec "$1" store export -o - >/dev/full"#, "sh", Subprocess.tapkit],
                environment: ["TAPKIT_DATA_DIR": data]
            ).status == 73)
    }

    @Test func othersMayNotWriteIt() async throws {
        _ = try makeStore()
        chmod(data, 0o777)
        let run = try await tapkit("check", "--json")
        #expect(run.status == 78)
        #expect((try run.json()["error"] as? [String: Any])?["code"] as? String == "store_unsafe")
    }
}
