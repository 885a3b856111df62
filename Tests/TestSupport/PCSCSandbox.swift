import Foundation

/// A PC/SC service with a simulated card on its first virtual reader, seen only by the programs that are run in it.
///
/// For programs such as the reference client, which ask every card on every reader and would disturb other tests'
/// cards. The service and the card live in namespaces of their own and end with the last reference, or with the test
/// process, however that ends. Needs no root where the kernel lets users have namespaces, as Debian's does.
public final class PCSCSandbox: Sendable {
    private let host: InteractiveProcess

    private static let isRoot = geteuid() == 0
    /// Prepares the namespaces that other programs enter, and starts `inner` in a further one for processes.
    private static let outer = """
        ip link set lo up && mount -t tmpfs tmpfs /run && mkdir /run/pcscd || exit 1
        exec 3<&0
        unshare --pid --fork --kill-child --mount-proc sh -c "$1" sh "$2" "$3" <&3 3<&- &
        wait
        """
    /// `$1` is `tapkit`, `$2` the card. The shell is the first process here: when its input ends it ends, and then the
    /// kernel ends all others.
    private static let inner = """
        /usr/sbin/pcscd --foreground >&2 &
        until [ -S /run/pcscd/pcscd.comm ] && grep -q ':8C7B 00000000:0000 0A' /proc/net/tcp; do sleep 0.02; done
        "$1" sim serve "$2" --vpcd 127.0.0.1:35963 &
        read -r _
        """

    /// Starts the service and lays the card on the reader; returns when the service sees it.
    /// - Parameter card: the state file of a simulated card.
    public init(card: String) async throws {
        let mapping = Self.isRoot ? [] : ["--user", "--map-root-user"]
        host = try InteractiveProcess(
            "unshare",
            mapping + ["--mount", "--net", "sh", "-c", Self.outer, "sh", Self.inner, Subprocess.tapkit, card])
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !seesCard() {
            guard host.isRunning, ContinuousClock.now < deadline else {
                throw PCSCDaemon.Unavailable(
                    description: "A test's own pcscd or card does not come up: \(host.text) \(host.errorText)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Runs a program that sees this service only; see `Subprocess.run`.
    public func run(
        _ program: String, _ arguments: [String] = [], input: Data = Data(), environment: [String: String?] = [:],
        directory: URL? = nil, timeout: Duration = .seconds(120)
    ) async throws -> Subprocess {
        let options = Self.isRoot ? [] : ["--user", "--preserve-credentials"]
        let path = try Subprocess.locate(program).path
        return try await Subprocess.run(
            "nsenter", ["--target", "\(host.identifier)"] + options + ["--mount", "--net", "--", path] + arguments,
            input: input, environment: environment, directory: directory, timeout: timeout)
    }

    private func seesCard() async throws -> Bool {
        let readers = try await run(Subprocess.tapkit, ["readers", "--reader", "pcsc", "--json"])
        guard readers.status == 0 else { return false }
        return (try readers.json()["readers"] as? [[String: Any]] ?? []).contains { $0["card"] != nil }
    }
}
