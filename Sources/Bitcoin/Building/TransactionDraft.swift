/// An unsigned transaction with its coins chosen: what a PSBT is made from once the previous transactions are there.
public struct TransactionDraft: Sendable {
    /// What signing adds to an input of an unknown kind: a signature and a key in a scriptSig.
    private static let usualSatisfactionWeight = 428

    /// Inputs and outputs in final order, without scripts and witnesses.
    public let unsignedTransaction: Transaction
    /// The coins that it spends, in input order.
    public let coins: [Coin]
    /// The outputs that it creates, in output order.
    public let payments: [Payment]
    /// The index of the output that takes the remainder; `nil` when there is none.
    public let remainderIndex: Int?
    /// How the coins were chosen, and what the transaction costs. `indices` are those of the request's coins.
    public let selection: CoinSelection

    /// The fee: the inputs' value minus the outputs', change included.
    public var fee: Amount { selection.fee }
    /// The signed transaction's size in virtual bytes. Signatures that happen to be shorter make it smaller.
    public var virtualSize: Int { selection.virtualSize }

    /// Chooses coins and arranges the transaction. The same request and random numbers give the same draft.
    /// - Throws: `.selection`, `.duplicateCoin`, `.noSuchCoin`, `.weightUnknown`.
    public init(
        _ request: TransactionRequest, using generator: inout some RandomNumberGenerator
    ) throws(BuildingError) {
        var candidates: [CoinCandidate] = []
        candidates.reserveCapacity(request.coins.count)
        var seen: Set<Outpoint> = []
        for coin in request.coins {
            guard seen.insert(coin.outpoint).inserted else { throw .duplicateCoin(coin.outpoint) }
            candidates.append(
                try coin.candidate(isRequired: request.requiredCoins.contains(coin.outpoint)))
        }
        if let missing = request.requiredCoins.subtracting(seen).min(by: { "\($0)" < "\($1)" }) {
            throw .noSuchCoin(missing)
        }
        let rest: Payment
        let changeWeight: Int
        switch request.remainder {
        case .change(let spending):
            rest = Payment(to: spending, amount: .zero)
            changeWeight = spending.satisfactionWeight ?? Self.usualSatisfactionWeight
        case .drain(let payment):
            rest = payment
            changeWeight = 0
        }
        let selector = CoinSelector(
            payments: request.payments.map(\.output), changeScript: rest.scriptPubKey,
            changeSatisfactionWeight: changeWeight, feeDemand: request.feeDemand,
            longTermFeeRate: request.longTermFeeRate)
        let selection: CoinSelection
        do throws(CoinSelectionError) {
            if case .drain = request.remainder {
                selection = try selector.selectEverything(from: candidates)
            } else {
                selection = try selector.select(from: candidates, using: &generator)
            }
        } catch { throw .selection(error) }

        let coins = request.order.arranged(selection.indices.map { request.coins[$0] }, using: &generator)
        let remainder = selection.change.map { change in
            rest.spending.map { Payment(to: $0, amount: change) } ?? Payment(to: rest.scriptPubKey, amount: change)
        }
        let payments = request.order.arranged(request.payments + (remainder.map { [$0] } ?? []), using: &generator)
        self.selection = selection
        self.coins = coins
        self.payments = payments
        // Among equal outputs, any will do.
        remainderIndex = remainder.flatMap { payments.firstIndex(of: $0) }
        unsignedTransaction = Transaction(
            inputs: coins.map { TransactionInput(outpoint: $0.outpoint, sequence: request.sequence) },
            outputs: payments.map(\.output), lockTime: request.lockTime.lockTime(using: &generator))
    }
}
