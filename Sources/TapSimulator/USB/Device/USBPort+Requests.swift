/// What the host asks for, one by one.
extension USBPort {
    mutating func answer(
        _ message: RedirectionMessage, at now: ContinuousClock.Instant
    ) throws(RedirectionViolation) {
        let number = message.number
        switch message.content {
        case .hello, .refusal, .disconnectAcknowledgement, .filterRules: break
        case .reset: restart()
        case .setConfiguration(let wanted):
            let status = configure(wanted)
            if status == .success { send(writer.interfaces(of: device.description)) }
            send(writer.configuration(number, status, configuration))
        case .getConfiguration: send(writer.configuration(number, .success, configuration))
        case .setAlternate(let interface, let alternate):
            let status: RedirectionStatus = alternate == 0 && hasInterface(interface) ? .success : .invalid
            if status == .success { send(writer.interfaces(of: device.description)) }
            send(writer.alternate(number, status, interface: interface))
        case .getAlternate(let interface):
            send(writer.alternate(number, hasInterface(interface) ? .success : .invalid, interface: interface))
        case .startInterrupts(let endpoint):
            let status = canSend(.interrupt, to: endpoint)
            if status == .success { heard.insert(endpoint) }
            send(writer.interrupts(number, status, endpoint: endpoint))
        case .stopInterrupts(let endpoint):
            heard.remove(endpoint)
            send(writer.interrupts(number, .success, endpoint: endpoint))
        case .cancel: cancel(number)
        case .control(let request, let data): control(request, data, number, at: now)
        case .bulk(let endpoint, let stream, let length, let data):
            let offer = Offer(number: number, endpoint: endpoint, stream: stream, length: length)
            let status = canSend(.bulk, to: endpoint)
            guard status == .success else {
                finish(offer, status)
                return
            }
            guard USBEndpoint.isForHost(endpoint) else {
                finish(offer, .success, moved: length)
                device.receive(data, at: endpoint, now)
                return
            }
            guard offers.count < Self.mostWaiting else {
                throw RedirectionViolation(reason: "more than \(Self.mostWaiting) transfers at once")
            }
            offers.append(offer)
        // No reader takes interrupts.
        case .interrupt(let endpoint, _, _): send(writer.interrupt(number, .invalid, endpoint: endpoint, []))
        }
    }

    /// Ends a bulk transfer.
    mutating func finish(_ offer: Offer, _ status: RedirectionStatus, moved: Int = 0, _ data: [UInt8] = []) {
        send(
            writer.bulk(
                offer.number, status, endpoint: offer.endpoint, stream: offer.stream, length: moved, data))
    }

    private mutating func configure(_ wanted: UInt8) -> RedirectionStatus {
        guard wanted == USBDescription.configuration || wanted == 0 else { return .invalid }
        restart()
        configuration = wanted
        return .success
    }

    private func hasInterface(_ number: UInt8) -> Bool {
        configuration != 0 && device.description.interfaces.contains { $0.number == number }
    }

    /// Whether a transfer can be made.
    private func canSend(_ kind: USBEndpoint.Kind, to address: UInt8) -> RedirectionStatus {
        guard configuration != 0, device.description.endpoint(address)?.kind == kind else { return .invalid }
        return halted.contains(address) ? .stall : .success
    }

    private mutating func cancel(_ number: UInt64) {
        guard let place = offers.firstIndex(where: { $0.number == number }) else { return }
        finish(offers.remove(at: place), .cancelled)
    }

    private mutating func control(
        _ request: USBRequest, _ data: [UInt8], _ number: UInt64, at now: ContinuousClock.Instant
    ) {
        let answer = request.isStandard ? standardAnswer(request) : device.answer(request, data, at: now)
        let status: RedirectionStatus = answer == nil ? .stall : .success
        let bytes = request.isForHost ? Array((answer ?? []).prefix(Int(request.length))) : []
        send(writer.control(number, status, request, bytes))
    }

    /// The requests that every device knows; `nil` refuses.
    private mutating func standardAnswer(_ request: USBRequest) -> [UInt8]? {
        let (low, high) = (UInt8(request.value & 0xFF), UInt8(request.value >> 8))
        let address = UInt8(request.index & 0xFF)
        switch (request.code, request.recipient) {
        case (0x00, .endpoint): return [halted.contains(address) ? 1 : 0, 0]
        case (0x00, _): return [0, 0]
        case (0x01, .endpoint) where request.value == 0:
            halted.remove(address)
            return []
        case (0x03, .endpoint) where request.value == 0 && device.description.endpoint(address) != nil:
            halted.insert(address)
            return []
        case (0x06, .device): return device.description.descriptor(high, index: low)
        case (0x06, .interface):
            return device.description.interfaces.first { $0.number == address }?.classDescriptors[high]
        case (0x08, .device): return [configuration]
        case (0x09, .device): return configure(low) == .success ? [] : nil
        case (0x0A, .interface): return hasInterface(address) ? [0] : nil
        case (0x0B, .interface): return hasInterface(address) && low == 0 ? [] : nil
        default: return nil
        }
    }
}
