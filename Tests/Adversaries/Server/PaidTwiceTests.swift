import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// Whatever a server says of a payment that was sent: nothing that is said here leads to paying once more unasked.
@Suite(.serialized) struct PaidTwiceTests {
    /// What the server makes of the payment.
    enum Fate: CaseIterable, Sendable {
        case withheld, waiting, mined, deep, replacedByNobody, gone, deepThenGone
    }

    private static let bob = WalletBench.stranger

    @Test(arguments: ServedChain.Backend.allCases, Fate.allCases)
    func aPaymentIsNeverForgottenUnproven(_ backend: ServedChain.Backend, _ fate: Fate) async throws {
        var generator = SeededGenerator(for: "\(fate)")
        var payments: [Transaction] = []
        for _ in 0..<4 {
            let bench = try WalletBench(SampleWallet.Kind.allCases.randomElement(using: &generator) ?? .p2wpkh)
            for index in 0..<UInt32(4) { try bench.source.pay(bench.script(0, index), 50_000, salt: index + 1) }
            let manager = CardManager(store: MemoryStore()) { UnixTime(seconds: 5) }
            let order = WalletOrder(
                payments: [Payment(to: Self.bob, amount: try #require(Amount(satoshis: 30_000)))], fee: .rate(.relay))
            let sent = try manager.create(
                order, at: .relay, from: bench.wallet, try await bench.chain(), using: &generator)
            let draft = try manager.create(
                order, at: .relay, from: bench.wallet, try await bench.chain(), using: &generator)
            var signed = sent
            signed.psbt = try bench.keys.signed(sent.psbt)
            signed.sent = UnixTime(seconds: 6)
            _ = try manager.store.updateTransaction(sent.id) { [signed] _ in signed }
            let payment = try bench.signed(sent)
            payments.append(payment)
            switch fate {
            case .withheld: break
            case .waiting, .gone: bench.source.add(payment, height: nil)
            case .mined, .deep, .deepThenGone:
                bench.source.add(payment, height: fate == .mined ? 196 : 195)
            case .replacedByNobody:
                for taken in [sent, draft] {
                    let coin = try #require(taken.psbt.unsignedTransaction.inputs.first?.outpoint)
                    bench.source.add(
                        Transaction(inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(1_000)]),
                        height: 150)
                }
            }
            let served = try ServedChain(bench.source, backend)
            defer { withExtendedLifetime(served) {} }
            let source = try served.source()
            var known: WalletChain?
            for round in 0..<3 {
                if round > 0, fate == .gone || fate == .deepThenGone { bench.source.withhold(payment.id) }
                let answer: WalletChain
                do throws(WalletError) {
                    answer = try await WalletSync(bench.wallet, source: source)
                        .run(known: known, at: UnixTime(seconds: 7))
                } catch {
                    #expect(fate == .replacedByNobody)
                    guard case .chain(.liar) = error else { throw error }
                    break
                }
                #expect(fate != .replacedByNobody)
                if let known {
                    _ = try manager.store.restoreVanished(
                        of: bench.wallet, from: known, by: answer, at: UnixTime(seconds: 7))
                }
                // What was not sent can still be sent: nothing but the payment was signed.
                let overtaken = try manager.store.noteStandings(
                    of: bench.wallet, from: known, by: answer, at: UnixTime(seconds: 7))
                #expect(overtaken.isEmpty)
                known = answer
                let isSettled = fate == .deep || fate == .deepThenGone && round == 0
                let stored = try #require(try manager.store.transaction(sent.id))
                #expect(stored.standing?.isSettled == (isSettled ? true : fate == .mined ? false : nil))
                #expect(stored.summary.state == (isSettled || fate == .mined ? .confirmed : .sent))
                #expect(SigningResult(stored.psbt, added: 0).transaction == payment)
                let asked = try manager.repetitions(in: order, from: bench.wallet, answer)
                #expect(asked.isEmpty == isSettled)
                // The coins of the payment are never spent by another one.
                let next = try? manager.create(order, at: .relay, from: bench.wallet, answer, using: &generator)
                let coins = Set(sent.psbt.unsignedTransaction.inputs.map(\.outpoint))
                #expect(next?.psbt.unsignedTransaction.inputs.contains { coins.contains($0.outpoint) } != true)
                if let next { #expect(try manager.store.deleteTransaction(next.id)) }
            }
            await source.close()
        }
        try await NodeJury.expectTaken(payments)
    }
}
