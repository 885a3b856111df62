import Bitcoin
import TapManager
import TestSupport
import Testing

/// Every row of threats, "The PSBT lies": what is refused, what is warned about, what is shown.
@Suite struct LiesTests {
    private func bent(
        _ recipe: SampleWallet.Recipe = SampleWallet.Recipe(), _ bend: (inout PSBT, SampleWallet) throws -> Void
    ) throws -> PSBT {
        let wallet = try SampleWallet(seed: 1)
        var psbt = try wallet.psbt(recipe)
        try bend(&psbt, wallet)
        return psbt
    }

    private func recipe(_ change: (inout SampleWallet.Recipe) -> Void) -> SampleWallet.Recipe {
        var recipe = SampleWallet.Recipe()
        change(&recipe)
        return recipe
    }

    /// The same PSBT with another unsigned transaction: inputs and outputs keep their fields.
    private func rebuilt(_ psbt: PSBT, _ change: (inout Transaction) throws -> Void) throws -> PSBT {
        var transaction = psbt.unsignedTransaction
        try change(&transaction)
        var rebuilt = try PSBT(unsignedTransaction: transaction)
        for index in rebuilt.inputs.indices { rebuilt[input: index] = psbt.inputs[min(index, psbt.inputs.count - 1)] }
        for index in rebuilt.outputs.indices where index < psbt.outputs.count {
            rebuilt[output: index] = psbt.outputs[index]
        }
        return rebuilt
    }

    @Test func honestPSBTsPass() throws {
        let bench = try PlanBench()
        #expect(try bench.warnings(try bench.wallet.psbt()) == [])
    }

    @Test func previousTransactionOfAnotherOutpoint() throws {
        let psbt = try bent { psbt, wallet in
            let other = try SampleWallet.funding(
                Script.p2wpkh(try wallet.publicKey(DerivationPath())), amount: 1, salt: 99)
            psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(other)
        }
        #expect(try PlanBench().refusals(psbt).contains(.previousTransactionMismatch))
    }

    @Test func witnessUTXOThatDisagreesInAmountOrScript() throws {
        let amount = try bent { psbt, _ in psbt[input: 0].witnessUTXO?.value += 1 }
        let script = try bent { psbt, _ in psbt[input: 0].witnessUTXO?.scriptPubKey = Script([0x51]) }
        for psbt in [amount, script] { #expect(try PlanBench().refusals(psbt).contains(.spentOutputsDisagree)) }
    }

    @Test func amountThatIsOnlyClaimed() throws {
        let psbt = try bent(recipe { $0.hasPreviousTransactions = false }) { _, _ in }
        var bench = try PlanBench()
        #expect(try bench.warnings(psbt) == [.amountNotProven])
        bench.policy.requiresProvenAmounts = true
        #expect(try bench.refusals(psbt) == [.amountNotProven])
    }

    @Test func legacyInputWithoutItsPreviousTransaction() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2pkh] }) { psbt, _ in
            psbt[input: 0].witnessUTXO = psbt.inputs[0].nonWitnessUTXO?.output(at: 1)
            psbt[input: 0].nonWitnessUTXO = nil
        }
        #expect(try PlanBench().refusals(psbt).contains(.previousTransactionMissing))
        let none = try bent(recipe { $0.kinds = [.p2pkh] }) { psbt, _ in psbt[input: 0].nonWitnessUTXO = nil }
        #expect(try PlanBench().refusals(none).contains(.spentOutputUnknown))
    }

    @Test func outputThatThePreviousTransactionDoesNotHave() throws {
        let psbt = try bent { psbt, _ in
            psbt = try rebuilt(psbt) { transaction in
                let outpoint = transaction.inputs[0].outpoint
                transaction.inputs[0].outpoint = Outpoint(transactionID: outpoint.transactionID, index: 2)
            }
        }
        #expect(try PlanBench().refusals(psbt).contains(.previousOutputMissing))
    }

    @Test func redeemScriptOfAnotherHash() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2shP2WPKH] }) { psbt, wallet in
            psbt[input: 0].redeemScript = .p2wpkh(try wallet.publicKey(DerivationPath()))
        }
        #expect(try PlanBench().refusals(psbt).contains(.redeemScriptMismatch))
        let missing = try bent(recipe { $0.kinds = [.p2shP2WPKH] }) { psbt, _ in psbt[input: 0].redeemScript = nil }
        #expect(try PlanBench().refusals(missing).contains(.redeemScriptMissing))
    }

    @Test func keyThatIsNotTheCardsAtItsPath() throws {
        let psbt = try bent { psbt, wallet in
            let stranger = try SampleWallet(seed: 2).publicKey(DerivationPath())
            psbt[input: 0].addDerivation(
                KeyDerivation(
                    publicKey: stranger.bytes, fingerprint: wallet.fingerprint,
                    path: try wallet.path(.p2wpkh, branch: 0, index: 0)))
        }
        #expect(try PlanBench().refusals(psbt) == [.derivationMismatch])
    }

    @Test func keyThatIsOursButNotInTheScript() throws {
        let psbt = try bent { psbt, wallet in
            psbt[input: 0].addDerivation(try wallet.derivation(try wallet.path(.p2wpkh, branch: 0, index: 5)))
        }
        #expect(try PlanBench().refusals(psbt) == [.keyNotInScript])
    }

    @Test func changeWhoseKeyScriptOrPathDoesNotAgree() throws {
        let otherScript = try bent { psbt, wallet in
            psbt = try rebuilt(psbt) { $0.outputs[1].scriptPubKey = $0.outputs[0].scriptPubKey }
        }
        let otherKey = try bent { psbt, wallet in
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(
                KeyDerivation(
                    publicKey: try SampleWallet(seed: 2).publicKey(DerivationPath()).bytes,
                    fingerprint: wallet.fingerprint, path: try wallet.path(.p2wpkh, branch: 1, index: 0)))
        }
        let otherPath = try bent { psbt, wallet in
            let key = try wallet.derivation(try wallet.path(.p2wpkh, branch: 1, index: 0)).publicKey
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(
                KeyDerivation(
                    publicKey: key, fingerprint: wallet.fingerprint,
                    path: try wallet.path(.p2wpkh, branch: 1, index: 1)))
        }
        for psbt in [otherScript, otherKey, otherPath] {
            #expect(try PlanBench().refusals(psbt) == [.changeMismatch])
        }
    }

    @Test(arguments: ["m/84h/1h/0h/1/1048577", "m/84h/1h/0h/2/0", "m/84h/1h/0h/0"])
    func changeFarFromWhatTheInputsUse(_ text: String) throws {
        let psbt = try bent { psbt, wallet in
            let path = try DerivationPath(parsing: text)
            let key = try wallet.publicKey(path)
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(try wallet.derivation(path))
            psbt = try rebuilt(psbt) { $0.outputs[1].scriptPubKey = .p2wpkh(key) }
        }
        #expect(try PlanBench().warnings(psbt) == [.changePathUnusual])
    }

    @Test func changeToAnAccountThatNoInputUses() throws {
        let psbt = try bent { psbt, wallet in
            let path = try DerivationPath(parsing: "m/84h/1h/7h/1/0")
            let key = try wallet.publicKey(path)
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(try wallet.derivation(path))
            psbt = try rebuilt(psbt) { $0.outputs[1].scriptPubKey = .p2wpkh(key) }
        }
        let bench = try PlanBench()
        #expect(try bench.warnings(psbt).contains(.changeNotProven))
        #expect(try bench.plan(psbt).review.outputs.map(\.isProvenChange) == [false, false])
    }

    @Test func changeOfAnotherScriptType() throws {
        let psbt = try bent { psbt, wallet in
            let key = try wallet.publicKey(try wallet.path(.p2wpkh, branch: 1, index: 0))
            psbt = try rebuilt(psbt) { $0.outputs[1].scriptPubKey = .p2pkh(key) }
        }
        #expect(try PlanBench().warnings(psbt) == [.changePathUnusual])
    }

    /// Both stand in the output itself, but a wallet that looks for the one does not find the other.
    @Test func changeToTheBareKeyOfAKeyHashWallet() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2pkh] }) { psbt, wallet in
            let key = try wallet.publicKey(try wallet.path(.p2pkh, branch: 1, index: 0))
            psbt = try rebuilt(psbt) {
                $0.outputs[1].scriptPubKey = Script([33] + key.bytes + [Opcode.checkSignature.rawValue])
            }
        }
        #expect(try PlanBench().warnings(psbt) == [.changePathUnusual])
    }

    @Test func changeWhereTheCardHasNoKey() throws {
        let psbt = try bent { psbt, wallet in
            psbt[output: 1] = PSBT.Output()
            psbt[output: 1].addDerivation(try wallet.derivation(DerivationPath(parsing: "m/84h/1h/0h/1/0/0")))
        }
        #expect(try PlanBench().warnings(psbt) == [.changeNotProven])
    }

    @Test(arguments: [1, 2]) func outputsThatExceedTheInputs(_ count: Int) throws {
        let several = recipe { $0.kinds = Array(repeating: .p2wpkh, count: count) }
        let psbt = try bent(several) { psbt, _ in psbt = try rebuilt(psbt) { $0.outputs[0].value += 1_001 } }
        #expect(try PlanBench().refusals(psbt) == [.outputsExceedInputs])
    }

    @Test(arguments: [-1, Int64.min, 2_100_000_000_000_001, Int64.max])
    func amountsOutsideTheMoneySupply(_ value: Int64) throws {
        let psbt = try bent { psbt, _ in psbt = try rebuilt(psbt) { $0.outputs[0].value = value } }
        #expect(try PlanBench().refusals(psbt) == [.amountOutOfRange])
    }

    @Test func sumsAboveTheMoneySupply() throws {
        let psbt = try bent { psbt, _ in
            psbt = try rebuilt(psbt) { transaction in
                for index in transaction.outputs.indices { transaction.outputs[index].value = 2_100_000_000_000_000 }
            }
        }
        #expect(try PlanBench().refusals(psbt) == [.amountOutOfRange])
    }

    @Test func feesFarFromWhatPeoplePay() throws {
        let bench = try PlanBench()
        let share = recipe { $0.fee = 2_501 }
        #expect(try bench.warnings(try bench.wallet.psbt(share)) == [.feeHigh])
        let sum = recipe {
            $0.fee = 50_001
            $0.inputAmount = 10_000_000
            $0.payment = 5_000_000
        }
        #expect(try bench.warnings(try bench.wallet.psbt(sum)) == [.feeHigh])
        let rate = recipe {
            $0.fee = 71_000
            $0.inputAmount = 10_000_000
            $0.payment = 5_000_000
        }
        #expect(try bench.warnings(try bench.wallet.psbt(rate)) == [.feeHigh, .feeRateHigh])
        #expect(try bench.warnings(try bench.wallet.psbt(recipe { $0.fee = 100 })) == [.feeRateLow])
        #expect(try bench.warnings(try bench.wallet.psbt(recipe { $0.fee = 2_500 })) == [])
    }

    @Test(arguments: [2, 3, 0x81, 0x82, 0x83] as [UInt32])
    func hashTypesOtherThanAll(_ raw: UInt32) throws {
        let psbt = try bent { psbt, _ in psbt[input: 0].sighashType = SighashType(rawValue: raw) }
        var bench = try PlanBench()
        #expect(try bench.refusals(psbt) == [.sighashNotAll])
        bench.policy.allowsOtherSighashes = true
        #expect(try bench.warnings(psbt) == [.sighashNotAll])
    }

    @Test func unknownHashTypesAreRefusedEvenWhenOthersAreAllowed() throws {
        let psbt = try bent { psbt, _ in psbt[input: 0].sighashType = SighashType(rawValue: 0x41) }
        var bench = try PlanBench()
        bench.policy.allowsOtherSighashes = true
        #expect(try bench.refusals(psbt) == [.sighashNotAll])
    }

    @Test func theSameOutpointTwice() throws {
        let psbt = try bent { psbt, _ in
            psbt = try rebuilt(psbt) { $0.inputs.append($0.inputs[0]) }
        }
        #expect(try PlanBench().refusals(psbt) == [.duplicateInput])
    }

    @Test func theSameOutpointTwiceWithAnotherBetween() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2wpkh, .p2wpkh] }) { psbt, _ in
            let first = psbt.inputs[0]
            psbt = try rebuilt(psbt) { $0.inputs.append($0.inputs[0]) }
            psbt[input: 2] = first
        }
        #expect(try PlanBench().refusals(psbt) == [.duplicateInput])
    }

    @Test func outputsThatNobodyCanSpendOrRelay() throws {
        let bench = try PlanBench()
        func with(_ script: Script, value: Int64) throws -> PSBT {
            try bent(recipe { $0.inputAmount = 200_000 }) { psbt, _ in
                psbt = try rebuilt(psbt) {
                    $0.outputs[1].value -= value
                    $0.outputs.append(TransactionOutput(value: value, scriptPubKey: script))
                }
            }
        }
        #expect(try bench.refusals(try with(.nullData([1, 2]), value: 1)) == [.moneyInNullData])
        #expect(try bench.warnings(try with(.nullData([1, 2]), value: 0)) == [])
        #expect(try bench.warnings(try with(Script([0xAC, 0xAC]), value: 1_000)) == [.outputUnknown])
        let tooLong = Script([UInt8](repeating: 0x61, count: Script.maximumLength + 1))
        // Nothing is lost where there is no money, whatever stands behind OP_RETURN.
        let junk = Script([Opcode.return.rawValue, 0xAC])
        #expect(try bench.warnings(try with(junk, value: 0)) == [])
        #expect(try bench.refusals(try with(junk, value: 1)) == [.moneyInNullData])
        #expect(try bench.warnings(try with(tooLong, value: 1_000)) == [.outputUnspendable, .feeRateLow])
        #expect(
            try bench.warnings(try with(Script([0x51, 0x20] + [UInt8](repeating: 0xFF, count: 32)), value: 1_000))
                == [.outputUnspendable])
        #expect(
            try bench.warnings(try with(Script([0x52, 0x20] + [UInt8](repeating: 1, count: 32)), value: 1_000))
                == [.outputUnknown])
        #expect(
            try bench.warnings(try with(Script([0x00, 0x14] + [UInt8](repeating: 1, count: 20)), value: 100))
                == [.outputDust])
    }

    @Test func locksAndReplaceabilityAreShown() throws {
        let psbt = try bent { psbt, _ in
            psbt = try rebuilt(psbt) {
                $0.lockTime = 900_000
                $0.inputs[0].sequence = 10
            }
        }
        let notices = try PlanBench().plan(psbt).findings.filter { $0.severity == .notice }.map(\.code)
        #expect(notices == [.lockTime, .relativeLock, .replaceable])
    }

    @Test func twoPaymentsToOneAddressAreShown() throws {
        let psbt = try bent { psbt, _ in
            psbt = try rebuilt(psbt) {
                $0.outputs[0].value -= 1_000
                $0.outputs.append(TransactionOutput(value: 1_000, scriptPubKey: $0.outputs[0].scriptPubKey))
            }
        }
        let notices = try PlanBench().plan(psbt).findings.filter { $0.severity == .notice }
        #expect(notices.filter { $0.code == .paymentRepeated }.map(\.subject) == [.output(2)])
    }

    /// What is spent is a message's transaction (BIP-322), though it has money and the outputs are ordinary ones.
    @Test func aMessageDressedAsAPayment() throws {
        let psbt = try bent { psbt, _ in
            let coin = try #require(psbt.inputs[0].witnessUTXO)
            let nothing = Outpoint(
                transactionID: try #require(TransactionID([UInt8](repeating: 0, count: 32))), index: 0xFFFF_FFFF)
            let scriptSig = Script([0, 32] + SHA256.hash(Array("I owe 10 BTC".utf8)))
            let message = Transaction(
                version: 0, inputs: [TransactionInput(outpoint: nothing, scriptSig: scriptSig, sequence: 0)],
                outputs: [coin])
            psbt = try rebuilt(psbt) { $0.inputs[0].outpoint = Outpoint(transactionID: message.id, index: 0) }
            psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(message)
        }
        #expect(try PlanBench().refusals(psbt) == [.messageAsPayment])
    }

    /// One input that heeds the lock time binds the transaction.
    @Test func aLockTimeThatOneInputHeedsIsShown() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2wpkh, .p2wpkh] }) { psbt, _ in
            psbt = try rebuilt(psbt) {
                $0.lockTime = 900_000
                $0.inputs[0].sequence = 0xFFFF_FFFF
                $0.inputs[1].sequence = 0xFFFF_FFFE
            }
        }
        let notices = try PlanBench().plan(psbt).findings.filter { $0.severity == .notice }.map(\.code)
        #expect(notices == [.lockTime])
    }

    @Test func partialSignatureThatDoesNotVerify() throws {
        let psbt = try bent { psbt, wallet in
            let path = try wallet.path(.p2wpkh, branch: 0, index: 0)
            let key = try wallet.master.descendant(path).privateKey
            let signature = key.signGrindingLowR(digest: Digest(hashing: [3]))
            psbt.addPartialSignature(PartialSignature(signature, by: key.publicKey), toInput: 0)
        }
        #expect(try PlanBench().refusals(psbt) == [.badPartialSignature])
    }

    @Test func finalScriptThatDoesNotVerify() throws {
        let psbt = try bent { psbt, wallet in
            let path = try wallet.path(.p2wpkh, branch: 0, index: 0)
            let key = try wallet.master.descendant(path).privateKey
            let signature = key.signGrindingLowR(digest: Digest(hashing: [3]))
            psbt[input: 0].finalWitness = [signature.der + [1], key.publicKey.bytes]
        }
        #expect(try PlanBench().refusals(psbt) == [.badFinalScript])
    }

    @Test func extendedKeysOfAnotherNetwork() throws {
        let psbt = try bent { psbt, wallet in
            let path = try wallet.accountPath(.p2wpkh)
            let origin = KeyOrigin(fingerprint: wallet.fingerprint, path: path)
            psbt.addGlobalExtendedKey(
                try #require(ExtendedKeyDerivation(try wallet.extendedKey(path), origin: origin)))
        }
        var bench = try PlanBench()
        #expect(try bench.refusals(psbt) == [])
        bench.network = .main
        #expect(try bench.refusals(psbt) == [.networkMismatch])
    }

    /// Bitcoin's keys sign bitcoin, whatever a caller says that it is for.
    @Test func keysOfBitcoinForATestNetwork() throws {
        var bench = try PlanBench()
        let psbt = try bench.wallet.psbt()
        for (signer, network, isWarned) in [
            (nil, .test, false), (.test, .test, false), (.main, .test, true), (.main, .regtest, true),
        ] as [(KeyNetwork?, Network, Bool)] {
            (bench.signerNetwork, bench.network) = (signer, network)
            #expect(try bench.warnings(psbt) == (isWarned ? [.networkMismatch] : []))
        }
    }

    /// BIP-87's paths have a coin type, too.
    @Test(arguments: [("m/87h/0h/0h/0/0", true), ("m/87h/1h/0h/0/0", false)])
    func pathOfAnotherNetwork(_ path: String, isWarned: Bool) throws {
        let psbt = try bent { psbt, wallet in
            let path = try DerivationPath(parsing: path)
            var transaction = psbt.unsignedTransaction
            transaction.outputs.removeLast()
            psbt = try PSBT(unsignedTransaction: transaction)
            psbt[input: 0].witnessUTXO = TransactionOutput(
                value: 51_000, scriptPubKey: .p2wpkh(try wallet.publicKey(path)))
            psbt[input: 0].addDerivation(try wallet.derivation(path))
        }
        #expect(try PlanBench().warnings(psbt).contains(.networkMismatch) == isWarned)
    }

    @Test func pathsThatTheCardCannotSignAreLeftOut() throws {
        let psbt = try bent(recipe { $0.kinds = [.p2wpkh, .p2wpkh] }) { psbt, wallet in
            let path = try DerivationPath(parsing: "m/84h/1h/0h/0/0/0")
            psbt[input: 0].addDerivation(try wallet.derivation(path))
        }
        let bench = try PlanBench()
        #expect(try bench.warnings(psbt) == [.pathNotSignable])
        #expect(try bench.plan(psbt).signatureCount == 2)
    }
}
