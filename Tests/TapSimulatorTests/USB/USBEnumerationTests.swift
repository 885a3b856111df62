import TestSupport
import Testing

@testable import TapSimulator

/// What a host learns of each reader before its class matters.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct USBEnumerationTests {
    private static let identities: [USBReaderModel: (vendor: UInt16, product: UInt16, class: UInt8, interfaces: Int)] =
        [
            .acr1252u: (0x072F, 0x223B, 0x0B, 2), .acr122u: (0x072F, 0x2200, 0x0B, 1),
            .acr1252single: (0x072F, 0x223E, 0x0B, 1), .acr1251u: (0x072F, 0x221A, 0x0B, 2),
            .acr1255u: (0x072F, 0x223F, 0x0B, 1), .acr1552u: (0x072F, 0x2308, 0x0B, 1),
            .omnikey5427ck: (0x076B, 0x5427, 0x0B, 1), .utrust3701f: (0x04E6, 0x5791, 0x0B, 1),
            .scl3712: (0x04E6, 0x5594, 0xFF, 1), .logo: (0x1FD3, 0x0608, 0xFF, 1),
            .pn532ch340: (0x1A86, 0x7523, 0xFF, 1), .pn532cp2102: (0x10C4, 0xEA60, 0xFF, 1),
            .acr122u205: (0x072F, 0x2200, 0x0B, 1), .omnikey5427kb: (0x076B, 0x5428, 0x03, 1),
            .omnikey5022: (0x076B, 0x5022, 0x0B, 1), .utrust3700f: (0x04E6, 0x5790, 0x0B, 1),
            .pn532ft231x: (0x0403, 0x6015, 0xFF, 1), .pn532pl2303: (0x067B, 0x2303, 0xFF, 1),
            .pn532ch9102: (0x1A86, 0x55D4, 0x02, 2),
            .touchatag: (0x072F, 0x90CC, 0x0B, 1), .acr1222: (0x072F, 0x2214, 0x0B, 1),
            .pn531: (0x04CC, 0x0531, 0xFF, 1), .sonypn531: (0x054C, 0x0193, 0xFF, 1),
            .s360: (0x054C, 0x02E1, 0xFF, 1),
            .scl3711: (0x04E6, 0x5591, 0xFF, 1), .pn533: (0x04CC, 0x2533, 0xFF, 1),
        ]

    @Test(arguments: USBReaderModel.allCases)
    func aReaderIsAnnouncedAndDescribed(_ model: USBReaderModel) async throws {
        let identity = try #require(Self.identities[model])
        try await ReaderStand.with(model) { stand in
            let host = try RedirectionHost(stand.path)
            let packets = try host.greet()
            let (endpoints, interfaces, device) = (packets[0].content, packets[1].content, packets[2].content)
            #expect(endpoints.count == 160)
            #expect(interfaces.count == 132)
            #expect(RedirectionHost.number(interfaces[0..<4]) == UInt64(identity.interfaces))
            #expect(interfaces[36] == identity.class)
            #expect(device.count == 10)
            #expect(RedirectionHost.number(device[4..<6]) == UInt64(identity.vendor))
            #expect(RedirectionHost.number(device[6..<8]) == UInt64(identity.product))
            #expect(try host.configure() == 0)

            // The device's descriptor says the same as the announcement.
            let descriptor = try host.control(0x80, 6, 0x0100).data
            #expect(descriptor.count == 18 && descriptor.starts(with: [18, 1, 0x00, 0x02]))
            #expect(Array(descriptor[8..<14]) == Array(device[4..<10]))
            // The configuration's, first its head, then all of it.
            let head = try host.control(0x80, 6, 0x0200, length: 9).data
            #expect(head.count == 9 && head[4] == identity.interfaces)
            let whole = try host.control(0x80, 6, 0x0200, length: 1_024).data
            #expect(whole.count == Int(RedirectionHost.number(head[2..<4])))
            try Self.expectParts(of: whole, asAnnounced: endpoints, isKeyboard: identity.class == 0x03)
            // Names.
            #expect(try host.control(0x80, 6, 0x0300).data == [4, 3, 0x09, 0x04])
            for index in 1...2 as ClosedRange<UInt16> {
                let name = try host.control(0x80, 6, 0x0300 | index, 0x0409).data
                #expect(name.count > 4 && Int(name[0]) == name.count && name[1] == 3)
            }
            // No qualifier: the device knows one speed. No other name, no other configuration.
            for nothing in [0x0600, 0x0309, 0x0201] as [UInt16] {
                let (status, data) = try host.control(0x80, 6, nothing)
                #expect(status == 4 && data.isEmpty)
            }
            #expect(try host.configure(2) == 2)
            #expect(try host.control(0x80, 8, 0, length: 1).data == [1])
        }
    }

    /// The descriptors fill the configuration, and each endpoint is the one that was announced.
    private static func expectParts(
        of configuration: [UInt8], asAnnounced table: [UInt8], isKeyboard: Bool
    ) throws {
        var (place, found) = (0, 0)
        while place < configuration.count {
            let length = Int(configuration[place])
            try #require(length > 1 && place + length <= configuration.count)
            let part = Array(configuration[place..<(place + length)])
            if part[1] == 5 {
                let entry = Int(part[2] & 0x0F) + (part[2] & 0x80 != 0 ? 16 : 0)
                #expect(table[entry] == part[3] & 3)
                #expect(table[32 + entry] == part[6])
                #expect(Array(table[(96 + 2 * entry)..<(98 + 2 * entry)]) == Array(part[4..<6]))
                found += 1
            }
            if part[1] == 0x21 { #expect(length == (isKeyboard ? 9 : 54)) }
            place += length
        }
        // And no other was announced, but for the two directions of the control endpoint.
        #expect(table.prefix(32).count { $0 != 0xFF } == found + 2)
    }

    /// What a kernel asks a keyboard for.
    @Test func theKeyboardDescribesItsKeys() async throws {
        try await ReaderStand.with(.omnikey5427kb) { stand in
            let host = try stand.host()
            let details = try host.control(0x81, 6, 0x2100).data
            #expect(details == [9, 0x21, 0x11, 0x01, 0, 1, 0x22, 63, 0])
            let report = try host.control(0x81, 6, 0x2200).data
            #expect(report.count == 63 && report.starts(with: [0x05, 0x01, 0x09, 0x06]) && report.last == 0xC0)
            #expect(try host.control(0x81, 6, 0x2300).status == 4)
            #expect(try host.control(0x21, 0x0A, 0).status == 0)
            #expect(try host.control(0xA1, 0x01, 0x0100, length: 8).data == [UInt8](repeating: 0, count: 8))
        }
    }

    /// What both ends cannot do is not used: short numbers, no version, no longest packets, short bulk lengths.
    @Test func aHostThatCanDoNothing() async throws {
        try await ReaderStand.with(.acr1252u) { stand in
            let host = try RedirectionHost(stand.path, capabilities: 0)
            let packets = try host.greet()
            #expect(packets.map(\.content.count) == [96, 132, 8])
            try host.configure()
            let driver = CCIDHost(host)
            #expect(try driver.powerOn() == SimulatedCard.answerToReset)
            #expect(try driver.transmit([1, 2, 3, 4]) == [1, 2, 3, 4, 0x90, 0x00])
        }
    }

    @Test func nothingIsTransferredBeforeTheConfiguration() async throws {
        try await ReaderStand.with(.utrust3700f) { stand in
            let host = try RedirectionHost(stand.path)
            try host.greet()
            #expect(try host.write(CCIDHost.message(0x65), to: 0x02) == 2)
            #expect(try host.read(from: 0x82).status == 2)
            try host.configure()
            // Nor to an endpoint that is not there, is not a bulk endpoint, or has the other direction.
            #expect(try host.write([1], to: 0x05) == 2)
            #expect(try host.read(from: 0x81).status == 2)
            #expect(try host.read(from: 0x83).status == 2)
            let driver = CCIDHost(host)
            #expect(try driver.send(0x65).card == 1)
        }
    }

    @Test func aTransferCanBeCancelled() async throws {
        try await ReaderStand.with(.omnikey5022) { stand in
            let host = try stand.host()
            let offers = (0..<3).map { _ in host.offer(to: 0x82) }
            host.send(RedirectionHost.Kind.cancel, offers[1])
            #expect(try host.result(offers[1]) == (1, []))
            // Unknown, and ended already: nothing happens.
            for number in [7, offers[1]] { host.send(RedirectionHost.Kind.cancel, number) }
            let message = CCIDHost.message(0x65, sequence: 9)
            for offer in [offers[0], offers[2]] {
                #expect(try host.write(message, to: 0x02) == 0)
                let (status, bytes) = try host.result(offer)
                #expect(status == 0 && bytes.count == 10 && bytes[6] == 9)
            }
        }
    }

    @Test func aStalledEndpointIsClearedByTheHost() async throws {
        try await ReaderStand.with(.omnikey5022) { stand in
            let host = try stand.host()
            #expect(try host.control(0x82, 0, 0, 0x82, length: 2).data == [0, 0])
            #expect(try host.control(0x02, 3, 0, 0x82).status == 0)
            #expect(try host.control(0x82, 0, 0, 0x82, length: 2).data == [1, 0])
            #expect(try host.read(from: 0x82).status == 4)
            #expect(try host.control(0x02, 1, 0, 0x82).status == 0)
            #expect(try CCIDHost(host).send(0x65).command == 0)
        }
    }

    @Test func theMachineMayMakeTheSocketAndComeBack() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("reader")
        let listener = try RedirectionHost.listen(at: path)
        let stand = try ReaderStand(.acr122u, FieldTarget(), path)
        #expect(stand.server.isConnecting)
        let running = BesideThread { stand.server.run() }
        try await BlockingThread.run {
            for _ in 0..<2 {
                let host = try RedirectionHost(path, listening: listener)
                try host.greet()
                try host.configure()
                #expect(try CCIDHost(host).powerOn() == SimulatedCard.answerToReset)
            }
        }
        stand.server.stop()
        await running.end()
        #expect(stand.said.filter { $0 == .connected }.count == 2)
    }

    /// A machine that is hung up on each time is tried again, and reported once.
    @Test func aMachineThatAlwaysBreaksTheProtocolIsReportedOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("reader")
        let listener = try RedirectionHost.listen(at: path)
        let stand = try ReaderStand(.acr122u, FieldTarget(), path)
        let running = BesideThread { stand.server.run() }
        try await BlockingThread.run {
            for _ in 0..<3 {
                let host = try RedirectionHost(path, listening: listener)
                try host.greet()
                host.send(RedirectionHost.Kind.hello, 0, [UInt8](repeating: 0, count: 68))
                #expect(host.isHungUpOn())
            }
        }
        stand.server.stop()
        await running.end()
        #expect(stand.said.filter { $0 == .refused("a second hello") }.count == 1)
        #expect(!stand.said.contains(.lost))
    }

    @Test func placesThatCannotBe() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "file")
        for (path, kind) in [
            ("file", SimulatedCardError.Kind.exists), ("none/reader", .fileFailed),
            (String(repeating: "x", count: 108), .badAddress),
        ] {
            #expect { try ReaderStand(.pn533, FieldTarget(), folder.path(path)) } throws: {
                ($0 as? SimulatedCardError)?.kind == kind
            }
        }
    }
}
