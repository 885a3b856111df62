import Bitcoin

extension WatchWallet {
    /// A key as it is shown before the wallet is registered.
    package struct ShownKey: Sendable, Hashable {
        /// The master key's fingerprint and the path from it; `nil`: the descriptor does not say.
        package let origin: KeyOrigin?
        /// The extended or single key.
        package let text: String

        /// As it is written in a descriptor.
        fileprivate var expression: String { (origin.map(\.description) ?? "") + text }
    }

    /// Its descriptors with `@0`, `@1`, … for the keys, by their places in `shownKeys`, and `/**` for `/<0;1>/*`.
    ///
    /// Spec: BIP-388, "Wallet policies".
    package var policyTemplates: [String] {
        // The longest first: not a key that is the beginning of another one.
        let keys = shownKeys.enumerated().sorted {
            $0.element.expression.utf8.count > $1.element.expression.utf8.count
        }
        return descriptors.compactMap(\.text).map { text in
            var template = String(text.prefix { $0 != "#" })
            for (number, key) in keys { template = template.replacing(key.expression, with: "@\(number)") }
            return template.replacing("/<0;1>/*", with: "/**")
        }
    }

    /// Every key of its descriptors, each once, in the order of the text.
    package var shownKeys: [ShownKey] {
        var shown: [ShownKey] = []
        var seen: Set<ShownKey> = []
        for key in descriptors.lazy.flatMap(\.keys) {
            if seen.insert(key.shown).inserted { shown.append(key.shown) }
        }
        return shown
    }
}

extension DescriptorKey {
    /// The key as it is shown, without the steps below it.
    var shown: WatchWallet.ShownKey { WatchWallet.ShownKey(origin: origin, text: material.text) }
}

extension DescriptorKey.Material {
    /// Public keys only: a wallet has no others.
    fileprivate var text: String {
        switch self {
        case .publicKey(let bytes), .xOnly(let bytes): Script(bytes).description
        case .extended(let key): key.text
        case .privateKey, .extendedPrivate: ""
        }
    }
}
