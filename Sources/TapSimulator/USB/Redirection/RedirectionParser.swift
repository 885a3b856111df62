import ByteCodec

/// Parses what comes from the host's end. Strict: every length is checked before a byte is stored, and nothing is
/// guessed.
///
/// Spec: USB redirection protocol 0.7, "Basic packet structure / communication".
struct RedirectionParser {
    /// The longest content of a packet that is taken, in bytes: no reader gets a longer transfer.
    static let longestContent = 65_536 + 16
    private static let versionText = 64
    /// The most words of capabilities; one is in use.
    private static let longestCapabilities = 8

    private var bytes: [UInt8] = []
    /// What both ends can do; `nil` before hello.
    private(set) var capabilities: RedirectionCapabilities?

    /// Takes bytes as they come.
    mutating func append(_ received: [UInt8]) { bytes += received }

    /// The next complete packet; `nil` until more bytes come.
    /// - Throws: `RedirectionViolation`; the connection must end then.
    mutating func next() throws(RedirectionViolation) -> RedirectionMessage? {
        guard let (kind, number, range) = try header() else { return nil }
        guard bytes.count >= range.upperBound else { return nil }
        let content = Array(bytes[range])
        bytes.removeFirst(range.upperBound)
        do { return RedirectionMessage(number: number, content: try parse(kind, content)) } catch {
            if let violation = error as? RedirectionViolation { throw violation }
            throw Self.wrongLength(kind, content.count)
        }
    }

    private func header() throws(RedirectionViolation) -> (RedirectionKind, number: UInt64, content: Range<Int>)? {
        // Before hello nothing is agreed.
        let isWide = capabilities?.contains(.wideNumbers) ?? false
        let headerLength = isWide ? 16 : 12
        guard bytes.count >= headerLength else { return nil }
        var reader = ByteReader(bytes.prefix(headerLength))
        guard let rawKind = try? reader.littleEndian(UInt32.self), let length = try? reader.littleEndian(UInt32.self),
            let number = isWide
                ? try? reader.littleEndian(UInt64.self) : (try? reader.littleEndian(UInt32.self)).map({ UInt64($0) })
        else { return nil }
        guard let kind = RedirectionKind(rawValue: rawKind) else {
            throw RedirectionViolation(reason: "a packet of kind \(rawKind)")
        }
        guard (capabilities == nil) == (kind == .hello) else {
            throw RedirectionViolation(reason: capabilities == nil ? "no hello" : "a second hello")
        }
        guard length <= Self.longestContent else { throw Self.wrongLength(kind, Int(length)) }
        return (kind, number, headerLength..<(headerLength + Int(length)))
    }

    private mutating func parse(_ kind: RedirectionKind, _ content: [UInt8]) throws -> RedirectionMessage.Content {
        var reader = ByteReader(content)
        let parsed: RedirectionMessage.Content
        switch kind {
        case .hello: parsed = .hello(try hello(&reader))
        case .reset: parsed = .reset
        case .setConfiguration: parsed = .setConfiguration(try reader.byte())
        case .getConfiguration: parsed = .getConfiguration
        case .setAlternate: parsed = .setAlternate(interface: try reader.byte(), alternate: try reader.byte())
        case .getAlternate: parsed = .getAlternate(interface: try reader.byte())
        case .startInterrupts: parsed = .startInterrupts(endpoint: try reader.byte())
        case .stopInterrupts: parsed = .stopInterrupts(endpoint: try reader.byte())
        case .cancel: parsed = .cancel
        case .filterReject: parsed = .refusal
        case .disconnectAcknowledgement: parsed = .disconnectAcknowledgement
        case .filterRules:
            _ = try reader.read(reader.remaining)
            parsed = .filterRules
        case .control: parsed = try control(&reader)
        case .bulk: parsed = try bulk(&reader)
        case .interrupt: parsed = try interrupt(&reader)
        case .deviceConnect, .deviceDisconnect, .interfaceInfo, .endpointInfo, .configurationStatus, .alternateStatus,
            .interruptsStatus:
            throw RedirectionViolation(reason: "a packet that only a device's end sends (\(kind))")
        }
        guard reader.isAtEnd else { throw Self.wrongLength(kind, content.count) }
        return parsed
    }

    private mutating func hello(_ reader: inout ByteReader) throws -> RedirectionCapabilities {
        _ = try reader.read(Self.versionText)
        guard reader.remaining.isMultiple(of: 4), reader.remaining <= 4 * Self.longestCapabilities else {
            throw Self.wrongLength(.hello, Self.versionText + reader.remaining)
        }
        let first = reader.isAtEnd ? 0 : try reader.littleEndian(UInt32.self)
        _ = try reader.read(reader.remaining)
        let common = RedirectionCapabilities.own.intersection(RedirectionCapabilities(rawValue: first))
        capabilities = common
        return common
    }

    private func control(_ reader: inout ByteReader) throws -> RedirectionMessage.Content {
        let endpoint = try reader.byte()
        let (code, kind, _) = (try reader.byte(), try reader.byte(), try reader.byte())
        let (value, index) = (try reader.littleEndian(UInt16.self), try reader.littleEndian(UInt16.self))
        let request = USBRequest(
            kind: kind, code: code, value: value, index: index, length: try reader.littleEndian(UInt16.self))
        guard endpoint & 0x0F == 0 else {
            throw RedirectionViolation(reason: "a control transfer to endpoint \(endpoint)")
        }
        return .control(request, try data(of: Int(request.length), isForHost: request.isForHost, &reader))
    }

    private func bulk(_ reader: inout ByteReader) throws -> RedirectionMessage.Content {
        let (endpoint, _) = (try reader.byte(), try reader.byte())
        var length = Int(try reader.littleEndian(UInt16.self))
        let stream = try reader.littleEndian(UInt32.self)
        if capabilities?.contains(.wideBulkLengths) == true {
            length |= Int(try reader.littleEndian(UInt16.self)) << 16
        }
        let data = try data(of: length, isForHost: USBEndpoint.isForHost(endpoint), &reader)
        return .bulk(endpoint: endpoint, stream: stream, length: length, data)
    }

    private func interrupt(_ reader: inout ByteReader) throws -> RedirectionMessage.Content {
        let (endpoint, _) = (try reader.byte(), try reader.byte())
        let length = try reader.littleEndian(UInt16.self)
        let data = try data(of: Int(length), isForHost: USBEndpoint.isForHost(endpoint), &reader)
        return .interrupt(endpoint: endpoint, length: length, data)
    }

    /// The bytes that follow a transfer's header: all that it announces if they are for the device, otherwise none.
    private func data(of length: Int, isForHost: Bool, _ reader: inout ByteReader) throws -> [UInt8] {
        isForHost ? [] : try reader.read(length)
    }

    private static func wrongLength(_ kind: RedirectionKind, _ length: Int) -> RedirectionViolation {
        RedirectionViolation(reason: "a packet (\(kind)) of \(length) bytes")
    }
}
