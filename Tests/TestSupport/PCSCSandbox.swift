import Foundation

/// A PC/SC service with simulated cards on its virtual readers, seen only by the programs that are run in it.
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
        if [ $# -gt 5 ]; then
            # Two more virtual readers, by a second copy of the driver: one copy knows two slots, whatever the entry.
            driver=/usr/lib/pcsc/drivers/serial/libifdvpcd.so
            cp $driver /run/second.so && cp /etc/reader.conf.d/vpcd /run/vpcd || exit 1
            mount -t tmpfs tmpfs /etc/reader.conf.d && cp /run/vpcd /etc/reader.conf.d/vpcd || exit 1
            sed "s/8C7B/8C7D/g; s/Virtual PCD/Virtual PCD B/; s,$driver,/run/second.so," /run/vpcd \
                > /etc/reader.conf.d/vpcd-b
        fi
        inner=$1; shift
        unshare --pid --fork --kill-child --mount-proc sh -c "$inner" sh "$@" <&3 3<&- &
        wait
        """
    /// `$1` is `tapkit`, `$2` options for serving the first card; the cards follow. The shell is the first process here: when
    /// its input ends it ends, and then the kernel ends all others.
    private static let inner = """
        \(PCSCDaemon.command) >&2 &
        tapkit=$1; options=$2; shift 2; port=35963
        last=8C7B; [ $# -lt 3 ] || last=8C7D
        until [ -S /run/pcscd/pcscd.comm ] && grep -q ":$last 00000000:0000 0A" /proc/net/tcp; do sleep 0.02; done
        for card in "$@"; do
            "$tapkit" sim serve "$card" --vpcd 127.0.0.1:$port $options &
            options=; port=$((port + 1))
        done
        read -r _
        """

    /// Starts the service and lays the cards on the readers; returns when the service sees them. A busy one overlooks a
    /// card now and then, and starts again then.
    /// - Parameters:
    ///   - card: the state file of a simulated card.
    ///   - others: those of others, for the next readers; at most three.
    ///   - options: more options for `sim serve` of the first card.
    public init(card: String, _ others: String..., serving options: [String] = []) async throws {
        let arguments = [
            "sh", "-c", Self.outer, "sh", Self.inner, Subprocess.tapkit,
            options.joined(separator: " "), card,
        ]
        let start = { try InteractiveProcess("unshare", Subprocess.ownNamespaces + arguments + others) }
        var host = try start()
        var looksLeft = 300
        // Counted, not timed: each look waits for its turn among the programs that tests run.
        while try await Self.countCards(in: host) != 1 + others.count {
            looksLeft -= 1
            guard host.isRunning, looksLeft > 0 else {
                throw PCSCDaemon.Unavailable(
                    description: "A test's own pcscd or card does not come up: \(host.text) \(host.errorText)")
            }
            if looksLeft == 150 {
                await host.kill()
                host = try start()
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        self.host = host
    }

    /// Runs a program that sees this service only; see `Subprocess.run`.
    public func run(
        _ program: String, _ arguments: [String] = [], input: Data = Data(), environment: [String: String?] = [:],
        directory: URL? = nil, timeout: Duration = .seconds(120)
    ) async throws -> Subprocess {
        return try await Subprocess.run(
            "nsenter", Self.entering(host, program, arguments, in: directory), input: input, environment: environment,
            timeout: timeout)
    }

    /// Starts a program that sees this service only, to run beside the test; see `InteractiveProcess`.
    public func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], directory: URL? = nil
    ) throws -> InteractiveProcess {
        try InteractiveProcess(
            "nsenter", Self.entering(host, program, arguments, in: directory), environment: environment)
    }

    /// The command line that runs a program so that it sees this service only, for whoever starts programs by himself.
    /// - Parameter directory: where it works; `nil`: where the tests do.
    public func commandLine(_ program: String, _ arguments: [String] = [], in directory: URL? = nil) throws -> [String]
    {
        [try Subprocess.locate("nsenter").path] + (try Self.entering(host, program, arguments, in: directory))
    }

    private static func entering(
        _ host: InteractiveProcess, _ program: String, _ arguments: [String], in directory: URL? = nil
    ) throws -> [String] {
        // Another root folder would otherwise be the working one.
        let workingDirectory = directory?.path ?? FileManager.default.currentDirectoryPath
        let options = ["--wd=\(workingDirectory)"] + (isRoot ? [] : ["--user", "--preserve-credentials"])
        let path = try Subprocess.locate(program).path
        return ["--target", "\(host.identifier)"] + options + ["--mount", "--net", "--", path] + arguments
    }

    /// How many readers have a card, as the service tells; none while it does not answer.
    private static func countCards(in host: InteractiveProcess) async throws -> Int {
        let looking = try entering(host, Subprocess.tapkit, ["readers", "--reader", "pcsc", "--json"])
        let look = try await Subprocess.run("nsenter", looking)
        guard look.status == 0 else { return 0 }
        return (try look.json()["readers"] as? [[String: Any]] ?? []).count { $0["card"] != nil }
    }
}
