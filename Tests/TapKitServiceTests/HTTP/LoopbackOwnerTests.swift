import Glibc
import Testing

@testable import TapKitService

/// Whose connection it is.
@Suite struct LoopbackOwnerTests {
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:10E1 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
           1: 0100007F:9C40 0100007F:10E1 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1
           2: 0100007F:10E1 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1
           3: 0100007F:0050 0100007F:10E1 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
           4: 0100007F:0051 0100007F:10E1 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
        """

    private func user(_ clientPort: UInt16, _ port: UInt16, client: UInt32 = 0x7F00_0001) -> UInt32? {
        LoopbackOwner.user(
            from: LoopbackEnd(address: client.bigEndian, port: clientPort),
            to: LoopbackEnd(address: UInt32(0x7F00_0001).bigEndian, port: port), in: table)
    }

    @Test func theClientsEndCounts() {
        #expect(user(0x9C40, 0x10E1) == 1_001)
        #expect(user(0x10E1, 0x9C40) == 1_000)
        #expect(user(0x9C41, 0x10E1) == nil)
        #expect(user(0x9C40, 0x10E1, client: 0x7F00_0002) == nil)
    }

    /// Once a program has left its end, the kernel counts it as root's.
    @Test func whoHasLeftIsNobody() {
        #expect(user(0x50, 0x10E1) == nil)
        #expect(user(0x51, 0x10E1) == nil)
    }
}
