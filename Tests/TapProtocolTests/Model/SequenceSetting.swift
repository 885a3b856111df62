import TapSimulator

/// What a sequence begins with: two cards, and the client's randomness. Follows from its seed.
struct SequenceSetting {
    let product: SimulatedProduct
    let version: SimulatorVersion
    let seed: UInt64
    let options: [SimulatedCardOptions]

    init(_ product: SimulatedProduct, _ version: SimulatorVersion, seed: UInt64) {
        self.product = product
        self.version = version
        self.seed = seed
        var random = SplitMix(seed)
        let first = Self.options(product, version, &random)
        let others = SimulatedProduct.allCases
        let other = others.randomElement(using: &random) ?? product
        options = [first, Self.options(other, version, &random)]
    }

    private static func options(
        _ product: SimulatedProduct, _ version: SimulatorVersion, _ random: inout SplitMix
    ) -> SimulatedCardOptions {
        var options = SimulatedCardOptions(product: product)
        options.version = version
        options.network = Bool.random(using: &random) ? .main : .test
        options.seed = withUnsafeBytes(of: random.next()) { Array($0) }
        let digits = product == .satscard ? 6 : Int.random(in: 6...32, using: &random)
        options.cvc = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        options.unluckyPercent = [0, 0, 0, 12, 12, 12, 12, 12, 30, 30, 30, 100].randomElement(using: &random) ?? 12
        if product == .satscard {
            options.usedSlots = [0, 0, 0, 4, 8, 9, 10].randomElement(using: &random) ?? 0
            options.isBlank = Bool.random(using: &random)
        }
        options.certificateHeader = Bool.random(using: &random) ? .segwit : .uncompressed
        options.signsDeriveWithDerivedKey = Int.random(in: 0..<4, using: &random) == 0
        return options
    }
}
