import Bitcoin

/// States as JSON objects, in which values of the library's types have their text form.
extension SetupState {
    private enum Key: String, CodingKey {
        case step, chainCode, path, backupFile, keepsCVC, isCVCChanged, wasReady
    }

    /// Reads an object.
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            step: try fields.decode(SetupStep.self, forKey: .step),
            chainCode: try fields.optionalValue(.chainCode) { ChainCode(parsing: $0) },
            path: try fields.optionalValue(.path) { try? DerivationPath(parsing: $0) },
            backupFile: try fields.decodeIfPresent(String.self, forKey: .backupFile),
            keepsCVC: try fields.decode(Bool.self, forKey: .keepsCVC),
            isCVCChanged: try fields.decode(Bool.self, forKey: .isCVCChanged),
            wasReady: try fields.decodeIfPresent(Bool.self, forKey: .wasReady) ?? false)
    }

    /// Writes an object.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(step, forKey: .step)
        try fields.encodeIfPresent(chainCode?.description, forKey: .chainCode)
        try fields.encodeIfPresent(path?.description, forKey: .path)
        try fields.encodeIfPresent(backupFile, forKey: .backupFile)
        try fields.encode(keepsCVC, forKey: .keepsCVC)
        try fields.encode(isCVCChanged, forKey: .isCVCChanged)
        // Left out where the first release wrote nothing.
        if wasReady { try fields.encode(true, forKey: .wasReady) }
    }
}

extension DeriveState {
    private enum Key: String, CodingKey {
        case from, to
    }

    /// Reads an object.
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            from: try fields.value(.from) { try? DerivationPath(parsing: $0) },
            to: try fields.value(.to) { try? DerivationPath(parsing: $0) })
    }

    /// Writes an object.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(from.description, forKey: .from)
        try fields.encode(to.description, forKey: .to)
    }
}

extension NextSlotState {
    private enum Key: String, CodingKey {
        case slotIndex, chainCode
    }

    /// Reads an object.
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            slotIndex: try fields.decode(Int.self, forKey: .slotIndex),
            chainCode: try fields.value(.chainCode) { ChainCode(parsing: $0) })
    }

    /// Writes an object.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(slotIndex, forKey: .slotIndex)
        try fields.encode(chainCode.description, forKey: .chainCode)
    }
}

extension SignState {
    private enum Key: String, CodingKey {
        case transaction, ownPath, total
    }

    /// Reads an object.
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            transaction: try fields.value(.transaction) { TransactionID(parsing: $0) },
            ownPath: try fields.value(.ownPath) { try? DerivationPath(parsing: $0) },
            total: try fields.decode(Int.self, forKey: .total))
    }

    /// Writes an object.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(transaction.description, forKey: .transaction)
        try fields.encode(ownPath.description, forKey: .ownPath)
        try fields.encode(total, forKey: .total)
    }
}

extension KeyedDecodingContainer {
    /// The value whose text is at a key.
    fileprivate func value<Value>(_ key: Key, _ parse: (String) -> Value?) throws -> Value {
        let text = try decode(String.self, forKey: key)
        guard let value = parse(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "unexpected form")
        }
        return value
    }

    /// The same; `nil` if there is nothing at the key.
    fileprivate func optionalValue<Value>(_ key: Key, _ parse: (String) -> Value?) throws -> Value? {
        try contains(key) && !decodeNil(forKey: key) ? value(key, parse) : nil
    }
}
