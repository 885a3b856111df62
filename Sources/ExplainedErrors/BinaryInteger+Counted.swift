extension BinaryInteger {
    /// The number with what is counted, such as “1 input” or “2 inputs”.
    /// - Parameter plural: where it is more than the noun with an s: “tries”.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? "\(noun)s")"
    }
}
