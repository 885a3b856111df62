/// A card in reach of the chip, and how far the chip has got with it.
///
/// Spec: ISO 14443-3, section 6.3 (states of type A); ISO 14443-4, sections 5 (activation) and 7.5 (blocks).
struct ContactlessCard {
    enum Level: Equatable {
        case unpowered
        /// Powered, and waiting to be called.
        case idle
        /// Sent to sleep, waiting to be called again.
        case halted
        /// Called, and telling its identifier: so many of its parts are settled.
        case ready(settled: Int)
        /// Selected, answering no blocks yet.
        case selected
        /// Answering blocks.
        case inProtocol
    }

    let target: any PN532Target
    var level = Level.unpowered
    /// The number of the card's last block.
    private var blockNumber: UInt8 = 1
    private var lastBlock: [UInt8]?

    init(target: any PN532Target) { self.target = target }

    private static let cascadeTag: UInt8 = 0x88
    /// What a selected card says of itself (SAK): it speaks blocks.
    static let speaksBlocks: UInt8 = 0x20

    /// The identifier as it is called on the air: a longer one has cascade tags.
    var cascadedIdentifier: [UInt8] {
        let identifier = target.identifier
        return identifier.count == 7 ? [Self.cascadeTag] + identifier : identifier
    }

    /// The answer to request (ATQA) as it comes over the air: how long the identifier is.
    var answerToRequest: [UInt8] { [target.identifier.count == 7 ? 0x44 : 0x04, 0x00] }

    /// The answer to select: 106 kbit/s only, blocks of 256 bytes, no card number.
    var answerToSelect: [UInt8] {
        let content = [0x78, 0x80, 0x70, 0x00] + target.historicalBytes.prefix(15)
        return [UInt8(content.count + 1)] + content
    }

    /// The card as InListPassiveTarget and InAutoPoll describe it.
    func description(number: UInt8) -> [UInt8] {
        let identifier = target.identifier
        let answerToSelect = level == .inProtocol ? answerToSelect : []
        return [number] + answerToRequest.reversed() + [Self.speaksBlocks, UInt8(truncatingIfNeeded: identifier.count)]
            + identifier
            + answerToSelect
    }

    /// Answers to a request for the answer to select.
    mutating func startProtocol() {
        level = .inProtocol
        blockNumber = 1
        lastBlock = nil
    }

    /// Counts a block of information.
    /// - Returns: the block that carries the answer.
    @discardableResult
    mutating func finishBlock(_ answer: [UInt8]) -> [UInt8] {
        blockNumber ^= 1
        let block = [0x02 | blockNumber] + answer
        lastBlock = block
        return block
    }

    /// The answer to a negative acknowledgement: the last block once more if that is the one, else an acknowledgement.
    func answer(toNegativeAcknowledgement number: UInt8) -> [UInt8] {
        if number == blockNumber, let lastBlock { return lastBlock }
        return [0xA2 | blockNumber]
    }
}
