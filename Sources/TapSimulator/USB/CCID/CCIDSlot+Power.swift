/// Power: a contactless card is activated when the host powers it. A pretended card has nothing to do with the field.
///
/// Spec: CCID 1.10, sections 6.1.1 and 6.1.2.
extension CCIDSlot {
    mutating func powerOn(_ command: CCIDCommand) {
        dropChain()
        chip.giveUp()
        guard pretended == nil else {
            pretended?.hasPower = true
            return reply(command, .done, PretendedCard.answerToReset)
        }
        // A card that has power already is reset.
        if chip.card?.level != .unpowered { chip.setField(false) }
        guard chip.card != nil, chip.activate() else { return fail(command, CCIDReply.Failure.mute) }
        // Whatever a host has told the chip before, the reader selects the block protocol.
        if chip.card?.level != .inProtocol { chip.card?.startProtocol() }
        reply(command, .done, ContactlessAnswers.answerToReset(chip.card?.target.historicalBytes ?? []))
    }

    mutating func powerOff(_ command: CCIDCommand) {
        dropChain()
        chip.giveUp()
        if pretended == nil { chip.setField(false) } else { pretended?.hasPower = false }
        reply(command)
    }

    private mutating func dropChain() { (chain, pending, extensionDue) = (Chain(), nil, nil) }
}
