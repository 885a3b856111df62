import Foundation

extension Subprocess {
    /// What `unshare` is told, so that a program sees mounts and a network of its own, and may change them. A plain user
    /// becomes root in there: programs that the tests start have no rights in the namespaces that the tests entered.
    public static let ownNamespaces =
        (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--mount", "--net"]

    /// Runs a shell's script in namespaces with an empty `/run/pcscd` and loopback, where no PC/SC service is but what the
    /// script starts.
    /// - Parameter arguments: `$1` and so on.
    public static func runApart(
        _ script: String, _ arguments: [String], environment: [String: String?], directory: URL
    ) async throws -> Subprocess {
        let preparation = "ip link set lo up; mkdir -p /run/pcscd; mount -t tmpfs tmpfs /run/pcscd\n"
        return try await run(
            "unshare", ownNamespaces + ["sh", "-c", preparation + script, "sh"] + arguments,
            environment: environment, directory: directory)
    }
}
