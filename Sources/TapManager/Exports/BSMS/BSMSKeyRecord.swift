import Bitcoin

/// What a signer sends to a coordinator in the first round: its key, signed with that key.
///
/// Spec: BIP-129, "Round 1", "Signer".
struct BSMSKeyRecord: Sendable, Hashable {
    /// The first line of every record.
    static let version = "BSMS 1.0"
    private static let maximumDescriptionLength = 80

    /// The session's token, in the record's form.
    let token: BSMSToken
    /// The signer's key with its origin.
    let key: AccountKey
    /// People's name for the key.
    let description: String

    /// A record without a signature.
    /// - Parameter description: identifies the signer, on one line of at most 80 characters.
    /// - Throws: `ExportError.badText` for a description of several lines or more than 80 characters; `.noOrigin`.
    init(token: BSMSToken, key: AccountKey, description: String) throws(ExportError) {
        try Self.require(description: description)
        guard key.origin != nil else { throw .noOrigin(1) }
        self.token = token
        self.key = key
        self.description = description
    }

    /// Confirms that a description has one line of at most 80 characters.
    /// - Throws: `ExportError.badText`.
    static func require(description: String) throws(ExportError) {
        guard description.count <= maximumDescriptionLength, !description.contains(where: \.isNewline) else {
            throw .badText
        }
    }

    /// The signed text: the first four lines, without a newline at the end.
    var message: String {
        [Self.version, token.hex, key.apostropheText, description].joined(separator: "\n")
    }

    /// The script whose signature is required: the key's P2PKH script, as in BIP-137.
    var scriptPubKey: Script { ScriptKind.p2pkh.scriptPubKey(for: key.key.publicKey) }

    /// The record with its signature.
    /// - Returns: `nil` unless the signature is the key's over `message`.
    func text(signature: String) -> String? {
        guard
            SignedMessage.verify(message: Array(message.utf8), scriptPubKey: scriptPubKey, signature: signature).isValid
        else { return nil }
        return message + "\n" + signature
    }
}
