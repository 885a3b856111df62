import Bitcoin
import Foundation
import TestSupport
import Testing

/// A wallet has a transaction signed whose payees do not fit into the windows that anyone would read.
@Suite(.fewAtATime) struct HWIManyPayeesTests {
    private static let signing = ["hwi", "--emulators", "-t", "tapsigner", "--chain", "test", "signtx"]
    private static let payeeCount = 150
    private let workshop: Workshop
    private let payees: [Script]
    /// The call that has it signed.
    private let call: [String]

    init() async throws {
        workshop = try await Workshop()
        payees = (1...Self.payeeCount).map {
            Script([0x00, 0x14] + [UInt8](repeating: UInt8($0), count: 20))
        }
        let wallet = try await workshop.wallet()
        var recipe = SampleWallet.Recipe()
        (recipe.inputAmount, recipe.payment, recipe.fee) = (20_000_000, 7_500_000, 20_000)
        let honest = try wallet.psbt(recipe)
        var transaction = honest.unsignedTransaction
        let change = transaction.outputs[1]
        transaction.outputs =
            payees.map { TransactionOutput(value: recipe.payment / Int64(Self.payeeCount), scriptPubKey: $0) }
            + [change]
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(honest.inputs)
        psbt[output: Self.payeeCount].addDerivation(
            try wallet.derivation(wallet.path(.p2wpkh, branch: 1, index: 0)))
        call = Self.signing + [String(decoding: psbt.encoded(as: .base64), as: UTF8.self)]
    }

    private func expectEveryPayee(in shown: String) throws {
        for payee in payees {
            let address = try #require(Address(scriptPubKey: payee, network: .test))
            #expect(shown.contains("You pay 0.00050000 test BTC to \(address)"), "\(address)")
        }
    }

    /// A terminal has room for all of them.
    @Test func whereThereIsNoWindowTheTerminalShowsAll() async throws {
        let terminal = try Terminal(
            workshop, call, environment: ["TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": "/nowhere/pinentry"])
        try expectEveryPayee(in: try await terminal.shows("[y/N]"))
        terminal.type("y\n")
        try await terminal.shows("CVC of card")
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("\"psbt\""), "\(terminal.output)")
    }

    /// The window says where to look; its yes is none to the transaction.
    @Test func aWindowSendsTheUserToTheTerminal() async throws {
        let terminal = try Terminal(workshop, call, environment: workshop.pinentry([Workshop.printedCVC]))
        try expectEveryPayee(in: try await terminal.shows("[y/N]"))
        let texts = workshop.pinentryLog.filter { $0.hasPrefix("SETDESC") }
        #expect(texts.count == 1 && texts[0].contains("Read it on the terminal"), "\(texts)")
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(!workshop.pinentryLog.contains("GETPIN") && !terminal.output.contains("\"psbt\""))
    }

    @Test func whereThereAreOnlyWindowsNothingIsSigned() async throws {
        let run = try await workshop.asked(call, answers: [Workshop.printedCVC])
        #expect(run.text.contains("too much to show in a window"), "\(run.text)")
        #expect(workshop.pinentryLog.isEmpty)
    }
}
