extension Script {
    /// The longest script that consensus runs; an output with a longer one can never be spent.
    public static let maximumLength = 10_000
    /// The longest redeem script that a P2SH output can be spent with, because it is pushed as one element.
    static let maximumRedeemScriptLength = 520

    /// Whether the output can never be spent, as far as its bytes alone tell: `OP_RETURN` in front, or too long.
    ///
    /// Spec: Bitcoin Core, `CScript::IsUnspendable`.
    public var isProvablyUnspendable: Bool {
        bytes.first == Opcode.return.rawValue || bytes.count > Self.maximumLength
    }
}
