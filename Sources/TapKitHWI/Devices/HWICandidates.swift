import TapManager

/// The cards that a call's options may refer to.
struct HWICandidates {
    /// Which of them is meant.
    let meant: CardCandidates
    /// Why other cards are not among them, line by line.
    let problems: [String]
}
