import Bitcoin
import FlowSupport
import TapManager

/// What may be believed of a wallet, whatever a server says: it knows what the wallet's keys signed.
struct WalletOracle {
    /// The wallet's scripts, as far as any server comes, by place.
    private let places: [Script: WalletPlace]
    private let signed: Set<[UInt8]>

    /// Places that were used before, and stay so.
    private let used: Set<WalletPlace>
    /// What every transaction pays that the server knows, those included that another one replaced.
    private let paid: Set<Script>

    /// - Parameter known: an earlier answer.
    init(_ story: ServerStory, known: WalletChain? = nil) throws {
        used = Set((known?.scripts ?? []).filter(\.isUsed).map(\.place))
        paid = Set(
            story.bench.source.telling.transactions.values.lazy.flatMap { $0.outputs.map(\.scriptPubKey) })
        places = try story.bench.places()
        signed = story.signed
    }

    /// What is wrong with an answer; empty when nothing is.
    func faults(of answer: WalletChain) -> [String] {
        let told = Dictionary(
            answer.transactions.map { ($0.id, $0.transaction) }, uniquingKeysWith: { first, _ in first })
        var faults: [String] = []
        var spent: Set<Outpoint> = []
        for (id, transaction) in told {
            if transaction.id != id { faults.append("\(id) is another transaction") }
            for outpoint in transaction.inputs.map(\.outpoint) {
                // However it is told, a coin is spent once.
                if !spent.insert(outpoint).inserted { faults.append("\(outpoint) is spent twice") }
                guard let output = told[outpoint.transactionID]?.outputs[Int(outpoint.index)] else { continue }
                if places[output.scriptPubKey] != nil, !signed.contains(transaction.serialized()) {
                    faults.append("\(id) spends \(outpoint), and nobody signed it")
                }
            }
        }
        faults += coinFaults(answer, told, spent)
        // What marks an address used is a transaction that pays it.
        for known in answer.scripts where known.isUsed && !used.contains(known.place) {
            if !paid.contains(known.script) {
                faults.append("nothing pays number \(known.place.index) of branch \(known.place.branch)")
            }
        }
        return faults
    }

    /// Each coin once, each unspent, and none left out.
    private func coinFaults(
        _ answer: WalletChain, _ told: [TransactionID: Transaction], _ spent: Set<Outpoint>
    ) -> [String] {
        var missing: [Outpoint: TransactionOutput] = [:]
        for (id, transaction) in told {
            for (index, output) in transaction.outputs.enumerated() where places[output.scriptPubKey] != nil {
                missing[Outpoint(transactionID: id, index: UInt32(index))] = output
            }
        }
        for outpoint in spent { missing[outpoint] = nil }
        var faults: [String] = []
        for coin in answer.coins where missing.removeValue(forKey: coin.outpoint) != coin.output {
            faults.append("\(coin.outpoint) is no coin, or is told twice")
        }
        faults += missing.keys.map { "the coin \($0) is left out" }
        // More than there is, is none of anybody's.
        let hasAmounts = answer.coins.allSatisfy { $0.amount != nil }
        if !hasAmounts { faults.append("a coin is more money than there is") }
        for isConfirmed in [true, false] {
            let sum = answer.coins.filter { ($0.height != nil) == isConfirmed }.reduce(0) { $0 + $1.output.value }
            let balance = answer.balance(isConfirmed: isConfirmed)?.satoshis
            if balance != (sum <= Amount.maximum.satoshis ? sum : nil) {
                faults.append("the balance is not the coins'")
            }
        }
        return faults
    }
}
