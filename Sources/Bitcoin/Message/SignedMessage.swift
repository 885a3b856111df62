import ByteCodec

/// Signed messages in every format: one function, one kind of verdict.
///
/// Spec: BIP-137; BIP-322, version 2.0.0.
public enum SignedMessage {
    /// The longest signature that is read, in bytes of its text; a proof of funds may be as long as a PSBT.
    public static let maximumTextLength = 5_400_000

    /// The longest text of a proof of funds.
    static let maximumProofLength = PSBT.maximumSize / 3 * 4 + 8

    /// Verifies that the owner of an address signed a message.
    ///
    /// The text determines the format: the prefix `smp`, `ful` or `pof` means BIP-322. Without a prefix, 65 bytes are
    /// BIP-137; other bytes are read as signers wrote them before BIP-322 had prefixes: a witness stack, a whole transaction,
    /// or a PSBT. White space at either end of the text is ignored.
    /// - Parameters:
    ///   - message: the message's exact bytes; UTF-8 for text.
    ///   - address: the claimed signer's address, on any network.
    ///   - signature: the signature's text.
    public static func verify(message: [UInt8], address: UncheckedAddress, signature: String) -> MessageVerdict {
        verify(message: message, scriptPubKey: address.scriptPubKey, signature: signature)
    }

    /// Verifies that the owner of an output's script signed a message; like `verify(message:address:signature:)`.
    public static func verify(message: [UInt8], scriptPubKey: Script, signature: String) -> MessageVerdict {
        let read: MessageSignature
        do throws(UnreadableSignature) {
            read = try MessageSignature(text: signature)
        } catch { return MessageVerdict(format: error.format, outcome: .invalid(error.fault)) }
        return MessageVerdict(
            format: read.format, outcome: outcome(of: read, message: message, scriptPubKey: scriptPubKey))
    }

    private static func outcome(
        of signature: MessageSignature, message: [UInt8], scriptPubKey: Script
    ) -> MessageVerdict.Outcome {
        let verification = BIP322Verification(message: message, scriptPubKey: scriptPubKey)
        switch signature {
        case .bip137(let signature):
            do throws(MessageFault) {
                return .valid(try signature.verify(message: message, scriptPubKey: scriptPubKey))
            } catch { return .invalid(error) }
        case .simple(let witness, let hasPrefix):
            var toSign = BIP322.toSign(spending: verification.toSpend)
            toSign.inputs[0].witness = witness
            if !hasPrefix { toSign.inputs[0].scriptSig = nestedScriptSig(witness: witness, scriptPubKey: scriptPubKey) }
            return verification.outcome(of: toSign)
        case .full(let toSign): return verification.outcome(of: toSign)
        case .proofOfFunds(let psbt): return verification.outcome(of: psbt)
        }
    }

    /// The scriptSig that old signers left out for witness programs in P2SH, rebuilt from the witness: the program of its
    /// key or script, if that matches the address. Version 2.0.0 has no simple signatures for them.
    private static func nestedScriptSig(witness: [[UInt8]], scriptPubKey: Script) -> Script {
        guard case .p2sh = ScriptTemplate(scriptPubKey), let last = witness.last else { return Script() }
        let programs = [Script.p2wpkh(keyHash: Hash160.hash(last)), Script.p2wsh(Script(last))]
        let program = programs.compactMap(\.self).first { Script.p2sh($0) == scriptPubKey }
        return program.map { Script(pushing: [$0.bytes]) } ?? Script()
    }
}
