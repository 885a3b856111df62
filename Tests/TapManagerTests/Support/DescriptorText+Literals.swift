import Bitcoin

/// Whatever a test writes down is a text from the store.
extension DescriptorText: ExpressibleByStringInterpolation {
    /// Takes any text, descriptor or not.
    public init(stringLiteral text: String) { self.init(stored: text) }
}
