import ByteCodec

/// Builds what the device's end sends.
///
/// Spec: USB redirection protocol 0.7.
struct RedirectionWriter {
    private static let places = 32
    private static let fullSpeed: UInt8 = 1
    private static let unused: UInt8 = 0xFF

    /// What both ends can do.
    let capabilities: RedirectionCapabilities

    /// The first packet: 64 bytes of text, and the capabilities.
    static let hello: [UInt8] = {
        let version = Array("simulated reader".utf8)
        var content = version + [UInt8](repeating: 0, count: 64 - version.count)
        content.appendLittleEndian(RedirectionCapabilities.own.rawValue)
        return RedirectionWriter(capabilities: []).packet(.hello, 0, content)
    }()

    /// The endpoints, the interfaces and the device itself, in the order in which they must be announced.
    func announcement(of device: USBDescription) -> [UInt8] {
        var content = [Self.fullSpeed, 0, 0, 0]
        content.appendLittleEndian(device.vendor)
        content.appendLittleEndian(device.product)
        if capabilities.contains(.deviceVersion) { content.appendLittleEndian(device.version) }
        return interfaces(of: device) + packet(.deviceConnect, 0, content)
    }

    /// The endpoints and the interfaces.
    func interfaces(of device: USBDescription) -> [UInt8] {
        packet(.endpointInfo, 0, endpointTable(device)) + packet(.interfaceInfo, 0, interfaceTable(device))
    }

    /// The device was unplugged.
    var disconnection: [UInt8] { packet(.deviceDisconnect, 0, []) }

    /// The answer to a change of, or a question for, the configuration.
    func configuration(_ number: UInt64, _ status: RedirectionStatus, _ configuration: UInt8) -> [UInt8] {
        packet(.configurationStatus, number, [status.rawValue, configuration])
    }

    /// The answer to a change of, or a question for, an alternate setting.
    func alternate(_ number: UInt64, _ status: RedirectionStatus, interface: UInt8) -> [UInt8] {
        packet(.alternateStatus, number, [status.rawValue, interface, 0])
    }

    /// Whether interrupts are received.
    func interrupts(_ number: UInt64, _ status: RedirectionStatus, endpoint: UInt8) -> [UInt8] {
        packet(.interruptsStatus, number, [status.rawValue, endpoint])
    }

    /// The end of a control transfer.
    /// - Parameter data: the bytes for the host, if it asked for some.
    func control(_ number: UInt64, _ status: RedirectionStatus, _ request: USBRequest, _ data: [UInt8]) -> [UInt8] {
        var content = [request.isForHost ? USBEndpoint.forHost : 0, request.code, request.kind, status.rawValue]
        content.appendLittleEndian(request.value)
        content.appendLittleEndian(request.index)
        content.appendLittleEndian(request.isForHost ? UInt16(clamping: data.count) : request.length)
        return packet(.control, number, content + data)
    }

    /// The end of a bulk transfer.
    /// - Parameters:
    ///   - length: how many bytes were moved.
    ///   - data: the bytes for the host.
    func bulk(
        _ number: UInt64, _ status: RedirectionStatus, endpoint: UInt8, stream: UInt32, length: Int, _ data: [UInt8]
    ) -> [UInt8] {
        var content = [endpoint, status.rawValue]
        content.appendLittleEndian(UInt16(truncatingIfNeeded: length))
        content.appendLittleEndian(stream)
        if capabilities.contains(.wideBulkLengths) {
            content.appendLittleEndian(UInt16(truncatingIfNeeded: length >> 16))
        }
        return packet(.bulk, number, content + data)
    }

    /// An interrupt of the device, or the end of the host's.
    func interrupt(_ number: UInt64, _ status: RedirectionStatus, endpoint: UInt8, _ data: [UInt8]) -> [UInt8] {
        var content = [endpoint, status.rawValue]
        content.appendLittleEndian(UInt16(clamping: data.count))
        return packet(.interrupt, number, content + data)
    }

    private func endpointTable(_ device: USBDescription) -> [UInt8] {
        var kinds = [UInt8](repeating: Self.unused, count: Self.places)
        var (intervals, owners) = ([UInt8](repeating: 0, count: Self.places), [UInt8](repeating: 0, count: Self.places))
        var packets = [UInt16](repeating: 0, count: Self.places)
        for control in [0, Self.places / 2] {
            kinds[control] = USBEndpoint.Kind.control.rawValue
            packets[control] = UInt16(USBDescription.controlPacket)
        }
        for interface in device.interfaces {
            for endpoint in interface.endpoints {
                let place = Int(endpoint.address & 0x0F) + (endpoint.isForHost ? Self.places / 2 : 0)
                kinds[place] = endpoint.kind.rawValue
                intervals[place] = endpoint.interval
                owners[place] = interface.number
                packets[place] = endpoint.longestPacket
            }
        }
        var content = kinds + intervals + owners
        if capabilities.contains(.longestPackets) { for packet in packets { content.appendLittleEndian(packet) } }
        return content
    }

    private func interfaceTable(_ device: USBDescription) -> [UInt8] {
        func column(_ value: (USBInterface) -> UInt8) -> [UInt8] {
            let values = device.interfaces.prefix(Self.places).map(value)
            return values + [UInt8](repeating: 0, count: Self.places - values.count)
        }
        var content: [UInt8] = []
        content.appendLittleEndian(UInt32(min(device.interfaces.count, Self.places)))
        return content + column(\.number) + column(\.kind.class) + column(\.kind.subclass) + column(\.kind.protocol)
    }

    private func packet(_ kind: RedirectionKind, _ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        var packet: [UInt8] = []
        packet.appendLittleEndian(kind.rawValue)
        packet.appendLittleEndian(UInt32(clamping: content.count))
        if capabilities.contains(.wideNumbers) {
            packet.appendLittleEndian(number)
        } else {
            packet.appendLittleEndian(UInt32(truncatingIfNeeded: number))
        }
        return packet + content
    }
}
