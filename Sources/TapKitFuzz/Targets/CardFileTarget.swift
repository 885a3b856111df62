import TapProtocol

@testable import TapSimulator

/// Files of simulated cards, and the responses of the card in the file.
enum CardFileTarget: FuzzTarget {
    static let name = "card-file"

    static func run(_ bytes: [UInt8]) throws {
        let state = try SimulatedCardState(fileContent: bytes)
        let written = required("a state is written") { try state.fileContent() }
        let again = required("what is written is read") { try SimulatedCardState(fileContent: written) }
        expectSame(again, state, "a card that is written is the same")
        expectSame(required("a state is written") { try again.fileContent() }, written, "a card is written in one way")

        var card = CardCore(state: state)
        card.powerOn()
        for request in CardRequests.all {
            let answer = card.answer(toAPDU: request)
            expect(answer.count >= 2, "every answer has a status word")
        }
        _ = required("a card that was used is written") { try card.state.fileContent() }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try SimulatedProduct.allCases.flatMap { product in
            try [UInt8](0..<3).map { seed in
                var options = SimulatedCardOptions(product: product)
                options.seed = [seed]
                options.isTampered = seed == 2
                options.usedSlots = product == .satscard ? Int(seed) : 0
                options.habits = seed == 1 ? [.highS, .longHeads] : []
                return try SimulatedCardState(options: options).fileContent()
            }
        }
    }
}
