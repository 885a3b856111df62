import CTestMachine

/// The part of the machine that a run of the tests has for itself: a network of loopback alone, an empty `/run`, no USB
/// devices, nothing behind serial ports, none of libnfc's settings. The process entered it before `main`
/// (`CTestMachine`).
public enum TestMachine {
    /// The process stayed outside, where a test's service would meet the machine's own.
    public struct Outside: Error, CustomStringConvertible {
        /// What the kernel refused, and what to do.
        public let description: String
    }

    /// The kernel's names for the network and the mounts that the process left: `net:[…]` and `mnt:[…]`.
    /// - Throws: `Outside`.
    public static func left() throws -> [String] {
        try requireInside()
        return test_machine_outside().map { String(cString: $0).split(separator: " ").map(String.init) } ?? []
    }

    /// Makes sure that a service that a test starts is the test's alone.
    /// - Throws: `Outside`.
    public static func requireInside() throws {
        guard let failure = test_machine_failure() else { return }
        throw Outside(
            description: """
                Tests with services need a network and a /run of their own, which this machine does not give: \
                \(String(cString: failure)). Run them as root, or let users have namespaces: \
                sudo sysctl kernel.unprivileged_userns_clone=1
                """)
    }
}
