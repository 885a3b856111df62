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
           3: 0100007F:0050 0100007F:10E1 01 00000000:00000000 00:00000000 00000000     0        0 4 1 0 20 4 30 10 -1
        """

    @Test func theClientsEndCounts() {
        #expect(LoopbackOwner.user(from: 0x9C40, to: 0x10E1, in: table) == 1_001)
        #expect(LoopbackOwner.user(from: 0x10E1, to: 0x9C40, in: table) == 1_000)
        #expect(LoopbackOwner.user(from: 0x50, to: 0x10E1, in: table) == 0)
        #expect(LoopbackOwner.user(from: 0x9C41, to: 0x10E1, in: table) == nil)
        #expect(LoopbackOwner.user(from: 1, to: 1, in: "") == nil)
    }
}
