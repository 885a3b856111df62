/// The reader's own commands.
///
/// Spec: CCID 1.10, section 6.1.8.
extension CCIDSlot {
    mutating func escape(_ command: CCIDCommand, at now: ContinuousClock.Instant) {
        guard firmware != nil else { return fail(command, CCIDReply.Failure.notSupported) }
        run(firmwareCommand: command.data, command, at: now)
    }

    mutating func run(firmwareCommand bytes: [UInt8], _ command: CCIDCommand, at now: ContinuousClock.Instant) {
        switch firmware?.run(bytes) {
        case .answer(let answer): reply(command, .done, answer)
        case .frame(let frame):
            pending = Pending(source: .chip, reply: command.kind?.reply ?? .escape, sequence: command.sequence)
            _ = chip.takeFrames()
            // A chip that was sent to sleep is woken by its reader.
            chip.receive(ACR122Firmware.wakeUp + PN532Frames.command(frame), at: now)
            settle()
        case nil: fail(command, CCIDReply.Failure.notSupported)
        }
    }

    /// Passes the chip's response on.
    mutating func settleFrame() {
        for frame in chip.takeFrames() where frame != PN532Frames.acknowledge {
            guard let pending else { return }
            self.pending = nil
            let answer = firmware?.answer(PN532Frames.data(of: frame)) ?? []
            send(CCIDReply(kind: pending.reply, sequence: pending.sequence, card: cardStatus, data: answer))
        }
    }
}
