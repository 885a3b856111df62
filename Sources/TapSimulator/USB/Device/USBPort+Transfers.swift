/// Moves the device's bytes to the host.
extension USBPort {
    /// Moves what the device has to say to where the host has room for it.
    mutating func move() {
        for transfer in device.takeTransfers() { keep(transfer) }
        sendInterrupts()
        var waiting: [Offer] = []
        for offer in offers {
            if halted.contains(offer.endpoint) {
                finish(offer, .stall)
            } else if let place = transfers.firstIndex(where: { $0.endpoint == offer.endpoint }) {
                fill(offer, from: place)
            } else {
                waiting.append(offer)
            }
        }
        offers = waiting
    }

    private mutating func keep(_ transfer: USBTransfer) {
        guard isPlugged, let endpoint = device.description.endpoint(transfer.endpoint) else { return }
        if endpoint.kind == .interrupt {
            // Only what is the case now is worth an interrupt.
            transfers.removeAll { $0.endpoint == transfer.endpoint }
            transfers.append(transfer)
            return
        }
        guard transfers.count < Self.mostWaiting else { return }
        defer { fault = nil }
        var transfer = transfer
        switch fault {
        case .stall:
            halted.insert(transfer.endpoint)
            return
        case .silence: return
        case .short: transfer.bytes.removeLast(transfer.bytes.count - transfer.bytes.count / 2)
        case .garbled: transfer.bytes = transfer.bytes.map { ~$0 }
        case .mute, .mutePower, .unplug, nil: break
        }
        transfers.append(transfer)
    }

    private mutating func sendInterrupts() {
        let heard = heard
        for transfer in transfers where heard.contains(transfer.endpoint) {
            send(writer.interrupt(interruptsSent, .success, endpoint: transfer.endpoint, transfer.bytes))
            interruptsSent &+= 1
        }
        transfers.removeAll { heard.contains($0.endpoint) }
    }

    private mutating func fill(_ offer: Offer, from place: Int) {
        let bytes = transfers[place].bytes
        let part = Array(bytes.prefix(offer.length))
        guard part.count < bytes.count else {
            transfers.remove(at: place)
            finish(offer, .success, moved: part.count, part)
            return
        }
        // Whole packets leave the rest for the next transfer; half a packet cannot be taken.
        let packet = Int(device.description.endpoint(offer.endpoint)?.longestPacket ?? 0)
        guard packet > 0, offer.length.isMultiple(of: packet) else {
            transfers.remove(at: place)
            finish(offer, .babble, moved: part.count, part)
            return
        }
        transfers[place].bytes.removeFirst(part.count)
        finish(offer, .success, moved: part.count, part)
    }
}
