import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

extension Story {
    /// The CVC that a card gets: as long as the one that it has.
    static let newCVC = "314159"
    static let chainCode = ChainCode(repeating: 0x5A)
    static let message = Array("I was here".utf8)

    /// What is done with a TAPSIGNER or SATSCHIP.
    static let signers: [Story] = [SimulatedProduct.tapsigner, .satschip].flatMap { product in
        let ready: @Sendable (inout SeededGenerator) async throws -> FlowBench = { generator in
            try await .ready(product, using: &generator)
        }
        let stories = [
            Story(name: "setup", product: product, card: { try FlowBench(product, using: &$0) }) { bench in
                let goal = SetupFlow.Goal(path: nil, chainCode: chainCode, isChainCodeNamed: false, newCVC: nil)
                return try await bench.run { driver in
                    let result = try await SetupFlow(driver: driver, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }
                    return text(result.account) + (result.isKeyNew ? " \(try bench.hasMasterChainCode(chainCode))" : "")
                }
            },
            Story(name: "setup with a new CVC", product: product, card: { try FlowBench(product, using: &$0) }) {
                bench in
                let goal = SetupFlow.Goal(
                    path: nil, chainCode: chainCode, isChainCodeNamed: false, newCVC: try CVC(newCVC))
                return try await bench.run { driver in
                    text(try await SetupFlow(driver: driver, cvc: CVC(FlowBench.cvc), goal: goal).run { _ in }.account)
                }
            },
            Story(name: "xpub", product: product, card: ready) { bench in
                try await bench.run { text(try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().account) }
            },
            Story(name: "xpub --master", product: product, card: ready) { bench in
                try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().master.text }
            },
            Story(name: "derive", product: product, card: ready) { bench in
                let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
                return try await bench.run {
                    text(try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path))
                }
            },
            Story(name: "hwi getxpub", product: product, card: ready) { bench in
                let paths = try ["m", "m/84h/1h/0h", "m/49h/1h/0h"].map { try DerivationPath(parsing: $0) }
                return try await bench.run { driver in
                    let keys = try await PathVisitFlow(driver: driver, cvc: CVC(FlowBench.cvc)).keys(at: paths)
                    return paths.map { "\($0) \(keys.accounts[$0]?.text ?? "-")" }.joined(separator: ", ")
                        + " \(keys.masterFingerprint)"
                }
            },
            Story(name: "hwi signmessage", product: product, card: ready) { bench in
                let path = try DerivationPath(parsing: "m/49h/1h/0h/0/3")
                return try await bench.run { driver in
                    try await PathVisitFlow(driver: driver, cvc: CVC(FlowBench.cvc))
                        .sign(message, at: path, as: .p2shP2WPKH, network: .test).address.description
                }
            },
            Story(name: "verify", product: product, card: ready) { bench in
                try await bench.run { try await verified($0) }
            },
            Story(name: "sign", product: product, card: ready) { bench in
                try await signed(try bench.wallet().psbt(), on: bench)
            },
            Story(name: "message sign", product: product, card: ready) { bench in
                try await bench.run { driver in
                    let flow = MessageFlow(driver: driver, cvc: try CVC(FlowBench.cvc), network: .test)
                    let path = try DerivationPath(parsing: "0/0")
                    return try await flow.sign(message, by: .path(path, nil), format: .bip137).address.description
                }
            },
            Story(name: "change-cvc", product: product, card: ready) { bench in
                try await bench.run {
                    try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC(newCVC)).change()
                }
                return "changed"
            },
        ]
        let backups = [
            Story(name: "backup", product: product, card: ready) { bench in
                "\(try await bench.backup().masterKey.neutered.text)"
            },
            Story(name: "backup verify", product: product, card: ready) { bench in
                "\(try await bench.check(try await bench.backup()))"
            },
        ]
        return stories + (product == .tapsigner ? backups : [])
    }

    /// Signs a transaction; tells what was called change, and that it is signed.
    static func signed(_ psbt: PSBT, on bench: FlowBench) async throws -> String {
        try await bench.run { driver in
            let flow = SignFlow(driver: driver, cvc: try CVC(FlowBench.cvc))
            let preparation = try await flow.prepare(psbt, network: nil, policy: SigningPolicy())
            let outcome = await flow.sign(preparation)
            if let interruption = outcome.interruption { throw interruption }
            if let transaction = SigningResult(outcome.psbt, added: outcome.added).transaction {
                try await NodeJury.expectTaken([transaction])
            }
            let change = preparation.plan.review.outputs.filter(\.isProvenChange).map(\.scriptPubKey.bytes)
            return "\(change), signed \(outcome.added)"
        }
    }

    /// What `verify` with the CVC proved.
    static func verified(_ driver: CardDriver) async throws -> String {
        let report = try await VerifyFlow(driver: driver, cvc: CVC(FlowBench.cvc)).run()
        guard report.holds else { throw FlowError.card(.badProof(.extendedKey, detail: "\(report.proofs)")) }
        return report.proofs.map { "\($0.name): \($0.detail)" }.joined(separator: "\n")
    }

    static func text(_ account: Account) -> String {
        "\(account.path) \(account.key.text) \(account.masterFingerprint)"
    }
}

extension FlowBench {
    /// Whether the card's master key has a chain code.
    func hasMasterChainCode(_ chainCode: ChainCode) throws -> Bool { try wallet().master.chainCode == chainCode }
}
