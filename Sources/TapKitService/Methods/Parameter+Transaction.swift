extension Parameter<String> {
    /// A stored transaction.
    static var transaction: Self {
        text("id", "The transaction's id, or at least 4 digits of its beginning.").required
    }

    /// A PSBT.
    static var psbt: Self { text("psbt", "The PSBT: Base64 or hexadecimal.") }
}
