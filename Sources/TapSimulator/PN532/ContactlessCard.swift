/// A card in the chip's field, and its protocol state.
///
/// Spec: ISO 14443-3, section 6.3 (states of type A); ISO 14443-4, sections 5 (activation) and 7.5 (blocks).
struct ContactlessCard {
    enum Level: Equatable {
        case unpowered
        /// Powered, and waiting to be polled.
        case idle
        /// Halted, waiting to be woken.
        case halted
        /// Polled, and sending its identifier: this many of its parts are settled.
        case ready(settled: Int)
        /// Selected, not yet answering blocks.
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
    /// A selected card's SAK: it supports blocks.
    static let speaksBlocks: UInt8 = 0x20

    /// The identifier as it is sent on the air: a longer one has cascade tags.
    var cascadedIdentifier: [UInt8] {
        let identifier = target.identifier
        return identifier.count == 7 ? [Self.cascadeTag] + identifier : identifier
    }

    /// The answer to request (ATQA) as sent over the air; it shows the identifier's length.
    var answerToRequest: [UInt8] { [target.identifier.count == 7 ? 0x44 : 0x04, 0x00] }

    /// The answer to select: 106 kbit/s only, blocks of 256 bytes, no card number.
    var answerToSelect: [UInt8] {
        let content = [0x78, 0x80, 0x70, 0x00] + target.historicalBytes.prefix(15)
        return [UInt8(content.count + 1)] + content
    }

    /// The card as a chip describes it in InListPassiveTarget and InAutoPoll.
    func description(number: UInt8, by edition: PN532Edition) -> [UInt8] {
        let identifier = edition.describesAsOnTheAir ? cascadedIdentifier : target.identifier
        let answerToRequest = edition.describesAsOnTheAir ? answerToRequest : answerToRequest.reversed()
        let answerToSelect = level == .inProtocol ? answerToSelect : []
        return [number] + answerToRequest + [Self.speaksBlocks, UInt8(truncatingIfNeeded: identifier.count)]
            + identifier
            + answerToSelect
    }

    /// Handles a request for the answer to select.
    mutating func startProtocol() {
        level = .inProtocol
        blockNumber = 1
        lastBlock = nil
    }

    /// Counts an information block.
    /// - Returns: the block that carries the response.
    @discardableResult
    mutating func finishBlock(_ answer: [UInt8]) -> [UInt8] {
        blockNumber ^= 1
        let block = [0x02 | blockNumber] + answer
        lastBlock = block
        return block
    }

    /// The answer to a negative acknowledgement: the last block again if it is the requested one, otherwise an
    /// acknowledgement.
    func answer(toNegativeAcknowledgement number: UInt8) -> [UInt8] {
        if number == blockNumber, let lastBlock { return lastBlock }
        return [0xA2 | blockNumber]
    }
}
