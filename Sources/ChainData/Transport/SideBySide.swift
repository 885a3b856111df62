/// Runs work on many elements, with a limited number at a time.
enum SideBySide {
    /// - Returns: the results in the elements' order.
    /// - Throws: the first error; the other work is cancelled.
    static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], width: Int,
        _ work: @escaping @Sendable (Element) async throws(ChainError) -> Value
    ) async throws(ChainError) -> [Value] {
        let outcome = await withTaskGroup(of: (Int, Result<Value, ChainError>).self) { group in
            var values = [Value?](repeating: nil, count: elements.count)
            var failure: ChainError?
            var started = 0
            func startNext() {
                guard failure == nil, started < elements.count else { return }
                let index = started
                started += 1
                group.addTask {
                    do throws(ChainError) { return (index, .success(try await work(elements[index]))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for _ in 0..<max(1, width) { startNext() }
            for await (index, result) in group {
                switch result {
                case .success(let value): values[index] = value
                case .failure(let error):
                    if failure == nil { failure = error }
                    group.cancelAll()
                }
                startNext()
            }
            return failure.map { Result<[Value], ChainError>.failure($0) } ?? .success(values.compactMap { $0 })
        }
        let values = try outcome.get()
        guard values.count == elements.count else { throw .cancelled }
        return values
    }
}
