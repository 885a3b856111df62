import Glibc

/// The computer that this process runs on.
package struct Host: HostFiles {
    package let root = ""
    package let environment = Host.readerEnvironment

    /// Looks at this computer.
    package init() {}

    /// The environment variables that matter to readers, as they were when first asked for: libnfc changes the
    /// environment, and reading it meanwhile is not safe.
    private static let readerEnvironment: [String: String] = {
        let names = [
            "SSH_CONNECTION", "PCSCLITE_CSOCK_NAME", "LIBNFC_DEVICE", "LIBNFC_DEFAULT_DEVICE", "LIBNFC_AUTO_SCAN",
            "LIBNFC_INTRUSIVE_SCAN",
        ]
        var variables: [String: String] = [:]
        for name in names { variables[name] = getenv(name).map { String(cString: $0) } }
        return variables
    }()
}
