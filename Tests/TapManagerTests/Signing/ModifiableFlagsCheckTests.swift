import Bitcoin
import TapManager
import TestSupport
import Testing

/// PSBTs of version 2 that say what may still change about a transaction that has signatures.
@Suite struct ModifiableFlagsCheckTests {
    private let bench: PlanBench

    init() throws {
        var bench = try PlanBench()
        bench.policy.allowsOtherSighashes = true
        self.bench = bench
    }

    /// Two P2WPKH inputs, the second signed with a type, and these flags, whatever the signature makes of them.
    private func psbt(_ flags: UInt8?, signedWith type: SighashType?, isFinal: Bool = false) throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        var psbt = try bench.wallet.psbt(recipe)
        if let type {
            let path = try bench.wallet.path(.p2wpkh, branch: 0, index: 1)
            let key = try bench.wallet.master.descendant(path).privateKey
            let digest = try psbt.spending(ofInput: 1).digest(type, using: SighashCache(psbt.unsignedTransaction))
            psbt.addPartialSignature(
                PartialSignature(key.signGrindingLowR(digest: digest), type: type, by: key.publicKey), toInput: 1)
            if isFinal { try psbt.finalize(input: 1) }
        }
        return try psbt.converted(to: .v2).withFlags(flags)
    }

    @Test(arguments: [false, true]) func flagsThatSignaturesContradictAreRefused(isFinal: Bool) throws {
        for type in [SighashType.all, .none, .single].flatMap({ [$0, $0.withAnyoneCanPay] }) {
            for byte: UInt8 in 0...15 {
                let flags = ModifiableFlags(rawValue: byte)
                let mayChange = !flags.isDisjoint(with: [.inputs, .outputs])
                let isLie =
                    flags.contains(.inputs) && !type.isAnyoneCanPay
                    || flags.contains(.outputs) && type.outputs != .none
                    || mayChange && type.outputs == .single && !flags.contains(.hasSighashSingle)
                let refusals = try bench.refusals(psbt(byte, signedWith: type, isFinal: isFinal))
                #expect(refusals == (isLie ? [.modifiableFlagsMismatch] : []), "\(type) \(byte)")
            }
            #expect(try bench.refusals(psbt(nil, signedWith: type, isFinal: isFinal)) == [])
        }
    }

    @Test func withoutSignaturesEverythingMayChange() throws {
        for byte: UInt8 in [0, 1, 2, 3, 7, 0xFF] { #expect(try bench.refusals(psbt(byte, signedWith: nil)) == []) }
    }

    @Test func theRefusalNamesInputAndLie() throws {
        let refusal = #expect(throws: SigningRefusal.self) { try bench.plan(psbt(3, signedWith: .all)) }
        let finding = try #require(refusal?.findings.first)
        #expect(finding.message.hasPrefix("Input 1 ("))
        #expect(
            finding.message.hasSuffix(
                "has a signature of type ALL, but the PSBT says that the inputs and the outputs can still be changed."))
    }
}
