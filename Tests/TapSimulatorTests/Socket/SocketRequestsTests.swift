import ByteCodec
import Testing

@testable import TapSimulator

@Suite struct SocketRequestsTests {
    private let status = CBOREncoder.encode(.map(["cmd": .text("status")]))
    private let certs = CBOREncoder.encode(.map(["cmd": .text("certs")]))

    private func requests(_ writes: [UInt8]..., longest: Int = 255) -> [SocketRequests.Request] {
        var requests = SocketRequests(longest: longest)
        var found: [SocketRequests.Request] = []
        for write in writes {
            requests.append(write)
            while let next = requests.next() { found.append(next) }
        }
        return found
    }

    @Test func wholeWrites() {
        #expect(requests(status, certs) == [.map(status), .map(certs)])
        #expect(requests() == [])
    }

    @Test func splitWrites() {
        for count in status.indices {
            #expect(requests(Array(status.prefix(count)), status.dropFirst(count) + []) == [.map(status)], "\(count)")
        }
        var slow = SocketRequests(longest: 255)
        for byte in status.dropLast() {
            slow.append([byte])
            #expect(slow.next() == nil && slow.isBegun)
        }
        slow.append(status.suffix(1))
        #expect(slow.next() == .map(status))
        #expect(slow.next() == nil && !slow.isBegun)
    }

    @Test func writesThatRunTogether() {
        #expect(requests(status + certs + status) == [.map(status), .map(certs), .map(status)])
        #expect(requests(status + certs.prefix(3), certs.dropFirst(3) + []) == [.map(status), .map(certs)])
    }

    @Test func whatCanBeNoRequest() {
        for bad in [[0x00], [0x80], [0xFF], [0xBC], [0xA1, 0xFF], Array("hello".utf8)] as [[UInt8]] {
            #expect(requests(bad) == [.unreadable], "\(bad)")
            #expect(requests(bad + status) == [.unreadable], "\(bad)")
            // The stream is clean behind it.
            #expect(requests(bad, status) == [.unreadable, .map(status)], "\(bad)")
        }
        #expect(requests(status + [0x00], certs) == [.map(status), .unreadable, .map(certs)])
    }

    @Test func theBound() {
        let text = String(repeating: "x", count: 243)
        let longest = CBOREncoder.encode(.map(["cmd": .text("status"), "a": .text(text.prefix(239) + "")]))
        let bound = longest.count
        #expect(requests(longest, longest: bound) == [.map(longest)])
        #expect(requests(longest, longest: bound - 1) == [.unreadable])
        // No more is kept of what never ends.
        let head: [UInt8] = [0xA1, 0x63] + Array("cmd".utf8) + [0x5B] + [UInt8](repeating: 0xFF, count: 8)
        var endless = SocketRequests(longest: 255)
        endless.append(head + [UInt8](repeating: 0, count: 255 - head.count))
        #expect(endless.next() == nil)
        endless.append([0])
        #expect(endless.next() == .unreadable)
        #expect(!endless.isBegun)
    }

    @Test func whatStaysUnfinished() {
        var requests = SocketRequests(longest: 255)
        requests.append(Array(status.dropLast()))
        #expect(requests.next() == nil)
        requests.giveUp()
        #expect(requests.next() == .unreadable)
        #expect(requests.next() == nil)
        requests.append(status)
        #expect(requests.next() == .map(status))
    }
}
