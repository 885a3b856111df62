/// A policy made from a template: who can spend at any time, and who can once a coin is old.
///
/// The expression is `or_d(FIRST,and_v(v:LATER,older(BLOCKS)))`, each of both a key or a `multi`, as Liana and Nunchuk write
/// it: `fault` finds nothing in it. Cards make no taproot signatures, so there is no other form.
///
/// Spec: BIP-379. Source: Liana, `liana/src/descriptors/analysis.rs`; libnunchuk, `nunchukutils.cpp`,
/// `FlexibleMultisigMiniscriptTemplate`.
public struct TemplatePolicy: Sendable {
    /// So many signatures of these keys.
    public struct Signers: Sendable {
        /// How many must sign, 1 to the number of keys.
        public let threshold: Int
        /// Who may.
        public let keys: [PolicyKey]
    }

    /// The longest time that a relative lock in blocks has, about 15 months.
    ///
    /// Spec: BIP-68.
    public static var maximumBlocks: Int { Int(TimeLock.mask) }

    /// Who can spend at any time.
    public let first: Signers
    /// Who can spend a coin that is `blocks` old.
    public let later: Signers
    /// How many blocks a coin must be old for `later`, 1 to 65 535.
    public let blocks: Int
    /// The policy's receive and change addresses.
    public let descriptor: Descriptor

    /// A policy of these keys.
    /// - Parameters:
    ///   - keys: who can spend at any time; of `decaying` and `expanding` also later.
    ///   - threshold: how many of them must sign.
    ///   - laterKeys: who can spend only later; none for `decaying`.
    ///   - laterThreshold: how many must sign later; `nil` for `expanding`, where it is `threshold`.
    ///   - blocks: how many blocks a coin must be old.
    /// - Throws: `PolicyTemplateError`; the wallet is not to be used then.
    public init(
        _ template: PolicyTemplate, keys: [PolicyKey], threshold: Int, laterKeys: [PolicyKey], laterThreshold: Int?,
        blocks: Int
    ) throws(PolicyTemplateError) {
        try Self.check(template, keys, laterKeys, blocks)
        let all = template.keepsKeys ? keys + laterKeys : laterKeys
        let laterThreshold = template.hasLaterThreshold ? laterThreshold ?? 0 : threshold
        guard (1...keys.count).contains(threshold) else { throw .threshold(threshold, of: keys.count) }
        guard (1...all.count).contains(laterThreshold) else { throw .laterThreshold(laterThreshold, of: all.count) }
        if template == .decaying, laterThreshold >= threshold { throw .notFewer(laterThreshold, than: threshold) }
        first = Signers(threshold: threshold, keys: keys)
        later = Signers(threshold: laterThreshold, keys: all)
        self.blocks = blocks
        descriptor = try Self.descriptor(first, later, blocks)
    }

    private static func check(
        _ template: PolicyTemplate, _ keys: [PolicyKey], _ laterKeys: [PolicyKey], _ blocks: Int
    ) throws(PolicyTemplateError) {
        guard keys.count >= template.fewestKeys else { throw .tooFewKeys }
        guard laterKeys.isEmpty != template.hasLaterKeys else {
            throw template.hasLaterKeys ? .noLaterKeys : .needlessLaterKeys
        }
        guard (1...maximumBlocks).contains(blocks) else { throw .blocks(blocks) }
        let all = keys + laterKeys
        let largest = template.keepsKeys ? all.count : max(keys.count, laterKeys.count)
        guard largest <= MultisigScript.maximumKeyCount else { throw .tooManyKeys(largest) }
        for (number, key) in all.enumerated() {
            for (earlier, other) in all.prefix(number).enumerated() {
                // Whoever has the key is one holder, whatever the chain code.
                if key.key.publicKey == other.key.publicKey { throw .sameKey(earlier + 1, number + 1) }
                guard key.origin.fingerprint != other.origin.fingerprint else {
                    throw .sameHolder(earlier + 1, number + 1, key.origin.fingerprint)
                }
            }
            if key.key.network != all[0].key.network { throw .otherNetwork(number + 1) }
        }
    }

    private static func descriptor(
        _ first: Signers, _ later: Signers, _ blocks: Int
    ) throws(PolicyTemplateError) -> Descriptor {
        let text: String
        do throws(MiniscriptError) {
            let expression = try expression(first, later, blocks)
            if let fault = expression.fault { throw fault }
            text = expression.text { $0.text ?? "" }
        } catch { throw .unsafe(error) }
        do throws(DescriptorError) { return try Descriptor(parsing: "wsh(\(text))") } catch { throw .unusable(error) }
    }

    private static func expression(
        _ first: Signers, _ later: Signers, _ blocks: Int
    ) throws(MiniscriptError) -> Miniscript<DescriptorKey> {
        let earlier = Set(first.keys)
        let again = later.keys.map { $0.expression(appearance: earlier.contains($0) ? 1 : 0) }
        let signed: Miniscript<DescriptorKey>
        if again.count == 1 {
            // By its hash, as it rarely signs.
            signed = try Miniscript(.wrapped(.check, Miniscript(.pkH(again[0]))))
        } else {
            signed = try Miniscript(.multi(later.threshold, again))
        }
        let aged = try Miniscript(
            .andV(Miniscript(.wrapped(.verify, signed)), Miniscript(.older(UInt32(clamping: blocks)))))
        return try Miniscript(.orD(at(first), aged))
    }

    /// The keys of the path that is always open.
    private static func at(_ signers: Signers) throws(MiniscriptError) -> Miniscript<DescriptorKey> {
        let keys = signers.keys.map { $0.expression(appearance: 0) }
        guard keys.count == 1 else { return try Miniscript(.multi(signers.threshold, keys)) }
        return try Miniscript(.wrapped(.check, Miniscript(.pkK(keys[0]))))
    }
}
