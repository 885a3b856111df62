import Foundation
import TestSupport
import Testing

/// What keeps a run of the tests apart from the machine, and from another run.
@Suite struct TestMachineTests {
    @Test func networkAndMountsAreNotThoseOutside() throws {
        let left = try TestMachine.left()
        #expect(left.map { $0.prefix(4) } == ["net:", "mnt:"])
        for outside in left {
            let inside = try Self.namespace(String(outside.prefix(3)))
            #expect(inside.hasPrefix(outside.prefix(4)) && inside != outside)
        }
    }

    /// Kernels add interfaces to every network for the tunnels that they know, which are not up.
    @Test func loopbackIsAllThatIsUp() throws {
        try TestMachine.requireInside()
        var list: UnsafeMutablePointer<ifaddrs>?
        try #require(getifaddrs(&list) == 0)
        defer { freeifaddrs(list) }
        let interfaces = sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
        let up = interfaces.filter { $0.ifa_flags & UInt32(IFF_UP) != 0 }.map { String(cString: $0.ifa_name) }
        #expect(Set(up) == ["lo"])
    }

    /// The second address is one of those that documents use; a datagram socket's connection sends nothing.
    @Test(arguments: [("127.0.0.1", 0), ("192.0.2.1", ENETUNREACH)])
    func noAddressBeyondLoopbackIsReached(address: String, expected: Int32) throws {
        try TestMachine.requireInside()
        #expect(try Self.errorOfConnecting(to: address) == expected)
    }

    /// Else the service would find its port taken now and then: by one of thousands of connections that tests make.
    @Test func noClientGetsThePortOfAReader() throws {
        try TestMachine.requireInside()
        let reserved = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_reserved_ports", encoding: .utf8)
        #expect(reserved == "35963-35966\n")
    }

    /// Only the service's folder, that of programs' locks, and the locks of the tests are in it.
    @Test func theRunFolderIsItsOwn() throws {
        try TestMachine.requireInside()
        let entries = try FileManager.default.contentsOfDirectory(atPath: "/run")
        #expect(Set(entries).isSuperset(of: ["lock", "pcscd"]))
        #expect(entries.filter { !$0.hasPrefix("tapkit-tests-") }.sorted() == ["lock", "pcscd"])
        let mount = try #require(try Self.mounts().last { $0.place == "/run" })
        #expect(mount.kind == "tmpfs")
    }

    @Test func noMountIsSharedWithTheMachine() throws {
        try TestMachine.requireInside()
        let mounts = try Self.mounts()
        #expect(!mounts.isEmpty)
        #expect(mounts.allSatisfy { !$0.isShared })
    }

    /// Neither on USB, nor in what the kernel says of it, nor in libnfc's settings; nothing is behind a serial port.
    @Test func noReaderOfTheMachineIsInSight() throws {
        try TestMachine.requireInside()
        for folder in ["/dev/bus/usb", "/sys/bus/usb/devices", "/etc/nfc"] {
            let entries = try? FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(entries ?? [] == [], "\(folder)")
        }
        let nothing = try #require(Self.device("/dev/null"))
        for name in try FileManager.default.contentsOfDirectory(atPath: "/dev")
        where name.firstMatch(of: /^(tty(USB|ACM|AMA|S|O)|serial|spidev|i2c-)[0-9]/) != nil {
            #expect([nothing, nil].contains(Self.device("/dev/\(name)")), "\(name)")
        }
        let ways = [
            "PCSCLITE_CSOCK_NAME", "LIBNFC_DEVICE", "LIBNFC_DEFAULT_DEVICE", "LIBNFC_AUTO_SCAN",
            "LIBNFC_INTRUSIVE_SCAN",
        ]
        #expect(ways.allSatisfy { getenv($0) == nil })
    }

    /// The device that programs get there; `nil`: the way leads nowhere.
    private static func device(_ path: String) -> dev_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_rdev : nil
    }

    @Test(arguments: ["net", "mnt"]) func theServiceIsInside(kind: String) async throws {
        try await PCSCDaemon.ensureRunning()
        let process = try String(contentsOfFile: "/run/pcscd/pcscd.pid", encoding: .utf8).prefix { $0.isNumber }
        #expect(try Self.namespace(kind, of: "\(process)") == Self.namespace(kind))
    }

    @Test(arguments: ["net", "mnt"]) func programsThatTestsStartAreInside(kind: String) async throws {
        try TestMachine.requireInside()
        let run = try await Subprocess.run("readlink", ["/proc/self/ns/\(kind)"]).succeeded()
        #expect(try run.text == "\(Self.namespace(kind))\n")
    }

    private static func namespace(_ kind: String, of process: String = "self") throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(kind)")
    }

    /// 0 when there is a way there.
    private static func errorOfConnecting(to text: String) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        try #require(inet_pton(AF_INET, text, &address.sin_addr) == 1)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 ? 0 : errno
    }

    /// What the process sees mounted; of two at one place the later one is in sight.
    private static func mounts() throws -> [(place: String, kind: String, isShared: Bool)] {
        try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: " ").map(String.init)
            let end = try #require(fields.dropFirst(6).firstIndex(of: "-"))
            try #require(fields.count > end + 1)
            let isShared = fields[6..<end].contains { $0.hasPrefix("shared:") || $0.hasPrefix("master:") }
            return (fields[4], fields[end + 1], isShared)
        }
    }
}
