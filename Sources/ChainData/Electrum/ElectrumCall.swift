/// Requests that are answered together. The lock of its connection guards it.
final class ElectrumCall: @unchecked Sendable {
    let answer = OneAnswer<[ElectrumAnswer]>()
    private var answers: [ElectrumAnswer?]
    private var missing: Int

    init(count: Int) {
        answers = Array(repeating: nil, count: count)
        missing = count
    }

    /// Records the answer to a request.
    /// - Returns: all answers, when this was the last.
    func note(_ index: Int, _ value: ElectrumAnswer) -> [ElectrumAnswer]? {
        guard answers.indices.contains(index), answers[index] == nil else { return nil }
        answers[index] = value
        missing -= 1
        return missing == 0 ? answers.compactMap { $0 } : nil
    }
}
