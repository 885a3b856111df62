extension Script {
    /// The longest script that consensus runs; an output with a longer one can never be spent.
    public static let maximumLength = 10_000
    /// The longest redeem script that a P2SH output can be spent with, because it is pushed as one element.
    static let maximumRedeemScriptLength = 520

    /// Whether the bytes alone show that the output can never be spent: it starts with `OP_RETURN` or is too long.
    ///
    /// Spec: Bitcoin Core, `CScript::IsUnspendable`.
    public var isProvablyUnspendable: Bool {
        bytes.first == Opcode.return.rawValue || bytes.count > Self.maximumLength
    }
}
