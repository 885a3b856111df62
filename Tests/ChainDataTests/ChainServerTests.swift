import Testing

@testable import ChainData

@Suite struct ChainServerTests {
    @Test(arguments: [
        ("electrum:example.org:50002", "electrum:example.org:50002:s"),
        ("electrum:example.org:50001", "electrum:example.org:50001:t"),
        ("electrum:example.org:60001", "electrum:example.org:60001:t"),
        ("electrum:example.org:50001:s", "electrum:example.org:50001:s"),
        ("electrum:example.org:443", "electrum:example.org:443:s"),
        ("electrum:[::1]:50002:t", "electrum:[::1]:50002:t"),
        ("electrum:127.0.0.1:1", "electrum:127.0.0.1:1:t"), ("electrum:localhost:50002", "electrum:localhost:50002:s"),
        ("electrum:[::1]:7", "electrum:[::1]:7:t"),
        ("electrum:abcdefghij.onion:50001", "electrum:abcdefghij.onion:50001:t"),
        ("esplora:https://example.org/api", "esplora:https://example.org/api"),
        ("esplora:http://example.org:3000//", "esplora:http://example.org:3000"),
        ("esplora:https://u:p@example.org/api", "esplora:https://example.org/api"),
        ("esplora:HTTPS://[2001:db8::1]:443/api", "esplora:https://[2001:db8::1]:443/api"),
        ("core:http://user:pass%40word@127.0.0.1:8332", "core:http://127.0.0.1:8332"),
        ("core:http://127.0.0.1:8332/?cookie=/data/.cookie", "core:http://127.0.0.1:8332"),
        ("core:http://u:p:q@127.0.0.1:8332/wallet/my%20own", "core:http://127.0.0.1:8332/wallet/my%20own"),
    ])
    func reads(_ text: String, _ name: String) throws {
        let server = try ChainServer(parsing: text)
        #expect(server.description == name)
        #expect(server.open(network: .main).name == name)
    }

    @Test(arguments: [
        "", "electrum", "electrum:", "electrum:example.org", "electrum:example.org:", "electrum:example.org:0",
        "electrum:example.org:65536", "electrum:example.org:+80", "electrum:example.org:50002:x", "electrum::50002",
        "electrum:exa mple.org:1", "electrum:::1:50002", "electrum:[::1:50002", "electrum:[example]:50002",
        "electrum:a/b:1",
        "electrum:u@h:1", "electrum:-h:1", "electrum:.h:1", "Electrum:h:1", "esplora:example.org",
        "esplora:ftp://example.org",
        "esplora:https://", "esplora:https:///api", "esplora:https://h:0", "esplora:https://h:99999",
        "esplora:https://h/a?b=c",
        "esplora:https://h/#a", "esplora:https://h /", "esplora:https://h\n", "esplora:file:///etc/passwd", "core:",
        "core:http://user@h", "core:http://u:%zz@h", "core:http://u:%00@h", "core:http://u:%+5@h",
        "core:http://h/other",
        "core:http://h/wallet/",
        "core:http://h?since=", "core:http://h?since=2024-02-30", "core:http://h?since=1.5.2024",
        "core:http://h?since=2008-12-31", "core:http://h?since=2200-01-01", "core:http://h?since=+024-05-01",
        "core:http://h?cookie",
        "core:http://h?cookie=a&cookie=b", "core:http://h?x=y", "core:http://u:p@", "other:h:1",
        "esplora:https://h\u{e4}/",
    ])
    func refuses(_ text: String) {
        #expect(throws: ChainServerError.self) { try ChainServer(parsing: text) }
    }

    /// As `date -u +%s -d DAY` has them.
    @Test(arguments: [
        ("2009-01-03", 1_230_940_800), ("2024-02-29", 1_709_164_800), ("2024-05-01", 1_714_521_600),
        ("2100-03-01", 4_107_542_400), ("2199-12-31", 7_258_032_000),
    ])
    func countsSecondsToADay(_ day: String, _ seconds: Int64) throws {
        #expect(CoreBirthday(parsing: day)?.seconds == seconds)
        _ = try ChainServer(parsing: "core:http://127.0.0.1/wallet/w?since=\(day)")
    }

    @Test(arguments: ["core:http://user:hunter2@ho st", "esplora:https://a:hunter2@h:0", "core:http://a:hunter2@h/x?y"])
    func showsNoPasswordInErrors(_ text: String) {
        let error = #expect(throws: ChainServerError.self) { try ChainServer(parsing: text) }
        #expect(error.map { !String(reflecting: $0).contains("hunter") && !$0.description.contains("hunter") } == true)
    }
}
