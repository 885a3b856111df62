import Testing

@testable import ChainData

@Suite struct RetryingTests {
    private func attempts(_ errors: [ChainError], _ waits: NotedWaits, retries: Int = 3) async -> (Int, ChainError?) {
        let count = NotedLines()
        do throws(ChainError) {
            try await Retrying(.forTests(waits, retries: retries)).run { () async -> Result<Void, ChainError> in
                count.note("attempt")
                return count.all.count <= errors.count ? .failure(errors[count.all.count - 1]) : .success(())
            }
            return (count.all.count, nil)
        } catch {
            return (count.all.count, error)
        }
    }

    private let closed = ChainError.unreachable(.closed, detail: "")
    private let silent = ChainError.unreachable(.timedOut, detail: "")

    @Test func doublesTheWaits() async {
        let waits = NotedWaits()
        let (count, error) = await attempts(Array(repeating: closed, count: 20), waits, retries: 8)
        #expect(count == 9 && error == closed)
        #expect(waits.all.map(\.milliseconds) == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    }

    @Test func endsWithTheFirstSuccess() async {
        let waits = NotedWaits()
        let (count, error) = await attempts([closed, .serverError(status: 502, message: ServerText(""))], waits)
        #expect(count == 3 && error == nil)
    }

    @Test(arguments: ChainErrorTests.all.filter { !$0.isTransient })
    func asksOnlyOnceForWhatDoesNotPass(_ error: ChainError) async {
        let waits = NotedWaits()
        let (count, last) = await attempts([error], waits)
        #expect(count == 1 && last == error && waits.all.isEmpty)
    }

    @Test func asksASilentServerOnceMore() async {
        let waits = NotedWaits()
        let (count, error) = await attempts([silent, silent, silent], waits)
        #expect(count == 2 && error == silent)
    }

    @Test func waitsAtLeastAsLongAsAsked() async {
        let waits = NotedWaits()
        _ = await attempts([.rateLimited(retryAfter: .seconds(20)), .rateLimited(retryAfter: .milliseconds(1))], waits)
        #expect(waits.all == [.seconds(20), .seconds(1)])
    }

    @Test func endsWithItsTask() async {
        let waits = NotedWaits()
        let closed = closed
        let task = Task { () -> ChainError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await attempts([closed, closed], waits).1
        }
        #expect(await task.value == .cancelled)
    }
}
