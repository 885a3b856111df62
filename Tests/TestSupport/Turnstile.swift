/// Lets in so many at a time, in the order in which they come.
actor Turnstile {
    private var freePlaces: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { freePlaces = places }

    /// Runs a body when its turn has come.
    nonisolated func pass<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if freePlaces > 0 {
            freePlaces -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { freePlaces += 1 } else { waiting.removeFirst().resume() }
    }
}
