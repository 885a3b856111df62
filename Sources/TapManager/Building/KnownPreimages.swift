import Bitcoin

/// The preimages that the user has, for the spending paths of one wallet.
struct KnownPreimages {
    /// A preimage and what it is one for.
    private struct Match {
        let preimage: [UInt8]
        let function: PreimageHash
        let hash: [UInt8]
    }

    private let matches: [Match]

    /// - Parameter preimages: 32 bytes each.
    /// - Throws: `.uselessPreimage` for one that no spending path takes.
    init(_ preimages: [[UInt8]], for paths: [WalletSpendingPath]) throws(CreationError) {
        let wanted = Set(paths.flatMap(\.terms.preimages))
        var matches: [Match] = []
        for (number, preimage) in preimages.enumerated() {
            let fitting = PreimageHash.allCases.filter { function in
                wanted.contains(SpendingTerms.Preimage(function: function, hash: function.hash(preimage)))
            }
            guard !fitting.isEmpty else { throw .uselessPreimage(number + 1) }
            matches += fitting.map { Match(preimage: preimage, function: $0, hash: $0.hash(preimage)) }
        }
        self.matches = matches
    }

    /// How many preimages a path takes that are not among them; where it has a choice, none if it can be taken without them.
    func missing(for path: WalletSpendingPath) -> Int {
        if let choice = path.terms.choice, choice.isMet(signed: { _ in true }, knows: has) { return 0 }
        return path.terms.preimages.count { !has($0.function, $0.hash) }
    }

    /// Whether the preimage of a hash is among them.
    func has(_ function: PreimageHash, _ hash: [UInt8]) -> Bool {
        matches.contains { $0.function == function && $0.hash == hash }
    }

    /// Adds those that a path takes to every input: with others, whoever gets the PSBT could take another path.
    func add(to psbt: inout PSBT, for path: WalletSpendingPath?) {
        let taken = matches.filter { match in
            path?.terms.preimages.contains(SpendingTerms.Preimage(function: match.function, hash: match.hash)) ?? false
        }
        for index in psbt.inputs.indices {
            for match in taken { psbt[input: index].addPreimage(match.preimage, of: match.function) }
        }
    }

    /// Adds those that the inputs of a replaced transaction have to every input of its replacement.
    static func carry(from old: PSBT, to psbt: inout PSBT) {
        let known = old.inputs.flatMap { input in
            input.preimages.flatMap { function, preimages in preimages.values.map { (function, $0) } }
        }
        for index in psbt.inputs.indices {
            for (function, preimage) in known { psbt[input: index].addPreimage(preimage, of: function) }
        }
    }
}
