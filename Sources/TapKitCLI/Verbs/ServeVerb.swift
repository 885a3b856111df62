import ArgumentParser
import LocalSockets
import TapKitService
import TapManager
import Terminal

/// `tapkit serve`: the manager as a service for other programs.
struct ServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve your own programs: JSON-RPC 2.0 on a Unix socket, until Ctrl-C.",
        discussion: """
            One JSON text per line. The method rpc.discover describes all methods; the manual page \
            tapkit-service(7) has a client. Only programs of the same user are served. pinentry shows what will be \
            signed, and asks for the CVC.

            Under systemd (tapkit.socket), the service starts when a program connects.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The socket's path; a stale socket is replaced. Default: $XDG_RUNTIME_DIR/tapkit.sock.",
            valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Under systemd: end when nobody has used the service for this many seconds.", valueName: "seconds"))
    var idle: Int?

    private struct Answer: Encodable { let socket: String }

    func validate() throws {
        try options.requireNothingOfOneTask(for: "serve", instead: "each call gives its own")
        guard (1...86_400).contains(idle ?? 1) else { throw ValidationError("--idle takes 1 to 86400 seconds.") }
    }

    func run() async throws {
        PrivateProcess.begin()
        let processor = try ServiceProcessor(options)
        let (door, transport) = try transport()
        options.console.answer(Answer(socket: door.path), ["Serving at \(door.path)."])
        Interruption.shared.onFirstSignal { transport.stop() }
        await BlockingThread().run { transport.run(processor) }
        await processor.stop()
    }

    private func transport() throws(Failure) -> (SocketDoor, UnixTransport) {
        do throws(LocalSocketError) {
            if socket == nil, let given = SocketDoor(environment: EnvironmentVariable.value) {
                return (given, try UnixTransport(given, endingWhenIdleFor: idle.map { .seconds($0) }))
            }
        } catch { throw Failure(error) }
        let path = try path()
        do throws(LocalSocketError) {
            let door = try SocketDoor(at: path)
            return (door, try UnixTransport(door))
        } catch { throw Failure(error) }
    }

    private func path() throws(Failure) -> String {
        if let socket { return socket }
        guard let folder = EnvironmentVariable.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
            throw Failure(
                .badEnvironment, "XDG_RUNTIME_DIR is not set to a folder for the socket.", hint: "Use --socket PATH.")
        }
        return "\(folder)/tapkit.sock"
    }
}

extension Failure {
    /// Why a socket cannot be made.
    fileprivate init(_ error: LocalSocketError) {
        switch error.kind {
        case .badAddress: self.init(.usage, error.message)
        case .inUse: self.init(.usage, error.message, hint: "Only one service can be at a path: use --socket PATH.")
        case .exists: self.init(.wouldOverwrite, error.message)
        case .failed: self.init(.cannotWrite, error.message)
        }
    }
}
