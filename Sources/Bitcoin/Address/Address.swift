/// An address on one network: a form of an output's script that can be read and shown to people.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The network on which it can be paid.
    public let network: Network
    /// The locking script of outputs that pay to this address.
    public let scriptPubKey: Script
    private let text: String

    init(network: Network, scriptPubKey: Script, text: String) {
        self.network = network
        self.scriptPubKey = scriptPubKey
        self.text = text
    }

    /// The address of an output's script; `nil` for scripts that have none.
    ///
    /// P2PKH, P2SH and witness programs have one; bare keys, bare multisig, `OP_RETURN` and the rest have none.
    public init?(scriptPubKey: Script, network: Network) {
        guard let text = Self.text(of: scriptPubKey, network: network) else { return nil }
        self.init(network: network, scriptPubKey: scriptPubKey, text: text)
    }

    /// Reads an address of one network: parsing and `require(_:)` in one step.
    public init(parsing text: some StringProtocol, network: Network) throws(AddressError) {
        self = try UncheckedAddress(parsing: text).require(network)
    }

    /// What the address's script demands.
    public var template: ScriptTemplate { ScriptTemplate(scriptPubKey) }

    /// The address as text; witness addresses in lower case.
    public var description: String { text }
}
