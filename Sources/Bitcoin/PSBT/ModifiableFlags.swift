/// Which parts of a version 2 PSBT's transaction may still change.
///
/// The bits above the third have no meaning yet, and are preserved.
///
/// Spec: BIP-370, `PSBT_GLOBAL_TX_MODIFIABLE`.
public struct ModifiableFlags: OptionSet, Hashable, Sendable {
    /// The byte of the field.
    public let rawValue: UInt8

    /// Flags from the byte of the field.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Inputs can be added and removed.
    public static let inputs = Self(rawValue: 1 << 0)
    /// Outputs can be added and removed.
    public static let outputs = Self(rawValue: 1 << 1)
    /// An input is signed with SINGLE, so its index must stay that of its output.
    public static let hasSighashSingle = Self(rawValue: 1 << 2)

    /// The flags that grant permission; when combining, both PSBTs must grant it.
    private static let permissions: Self = [.inputs, .outputs]

    /// The flags that a signature of a type clears, because it covers what they call modifiable.
    public func contradicted(by type: SighashType) -> Self {
        var covered: Self = []
        if !type.isAnyoneCanPay { covered.insert(.inputs) }
        if type.outputs != .none { covered.insert(.outputs) }
        return intersection(covered)
    }

    /// The flags after a signature of a type is added.
    ///
    /// Spec: BIP-370, "Signer".
    func signed(_ type: SighashType) -> Self {
        let flags = subtracting(contradicted(by: type))
        return type.outputs == .single ? flags.union(.hasSighashSingle) : flags
    }

    /// The flags of two PSBTs, combined.
    func combined(with other: Self) -> Self {
        intersection(other).intersection(Self.permissions).union(union(other).subtracting(Self.permissions))
    }
}

extension PSBT {
    /// What may still change about the transaction. `nil` when the field is missing, as in version 0, and means nothing.
    public internal(set) var modifiableFlags: ModifiableFlags? {
        get {
            global.value(PSBTGlobalType.transactionModifiable.rawValue)?.first.map { ModifiableFlags(rawValue: $0) }
        }
        set { global.set(PSBTGlobalType.transactionModifiable.rawValue, newValue.map { [$0.rawValue] }) }
    }
}
