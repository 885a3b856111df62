extension BinaryInteger {
    /// The number with what is counted, such as “1 input” or “2 inputs”.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
