/// How a simulated card is marked at the start of a line, so that nobody takes it for a real one.
enum SimulatedMark {
    /// What comes before the card's name, with a space at its end.
    static let text = "SIMULATED "

    /// The mark of a simulated card; empty for a real one.
    static func text(if isSimulated: Bool) -> String { isSimulated ? text : "" }
}
