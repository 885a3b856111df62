import Glibc
import SmartCard
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct CardThreadTests {
    @Test func jobsRunOneAfterTheOtherOnOneThread() async {
        let worker = Worker()
        await withTaskGroup { group in
            for _ in 0..<1000 { group.addTask { await worker.step() } }
        }
        #expect(await worker.steps == 1000)
        #expect(await worker.overlaps == 0)
        #expect(await worker.threads.count == 1)
    }

    @Test func jobsOfOneTaskKeepTheirOrder() async {
        let worker = Worker()
        for number in 0..<100 { await worker.note(number) }
        #expect(await worker.notes == Array(0..<100))
    }

    @Test func everyThreadIsItsOwn() async {
        var threads: Set<String> = []
        let workers = (0..<8).map { _ in Worker() }
        for worker in workers {
            await worker.step()
            threads.formUnion(await worker.threads)
        }
        #expect(threads.count == 8)
    }

    /// More threads block than the pool has; only tasks of the pool can free them.
    @Test func blockedThreadsDoNotHoldUpOthers() async {
        let latches = (0..<16).map { _ in Latch() }
        let blocked = latches.map { latch in Task { await Worker().wait(for: latch) } }
        var heartbeats = 0
        for _ in 0..<50 { heartbeats += await Task { 1 }.value }
        #expect(heartbeats == 50)
        for latch in latches { latch.open() }
        for task in blocked { await task.value }
    }

    @Test func theThreadEndsWithTheLastReference() async throws {
        var worker: Worker? = Worker()
        await worker?.step()
        let thread = try #require(await worker?.threads.first)
        #expect(access("/proc/self/task/\(thread)", F_OK) == 0)
        worker = nil
        for _ in 0..<500 where access("/proc/self/task/\(thread)", F_OK) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(access("/proc/self/task/\(thread)", F_OK) != 0)
    }

    /// The last reference may go in the middle of a job, on the thread itself.
    @Test func manyShortLivesEndWell() async {
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { await Worker().step() } }
        }
    }

    @Test func signalsInterruptNothing() async {
        #expect(await workerOfAThreadWithSignals().blocks([SIGINT, SIGTERM, SIGCHLD, SIGWINCH]))
    }

    /// Threads inherit what their maker blocks, and the pool's threads block nearly all.
    private func workerOfAThreadWithSignals() -> Worker {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return Worker()
    }
}

/// The number that the system gave the calling thread.
private func currentThread() -> String {
    var path = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/thread-self", &path, path.count)
    let target = String(decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return target.split(separator: "/").last.map(String.init) ?? ""
}

/// An actor on a card thread.
private actor Worker {
    private let thread = CardThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private(set) var steps = 0
    private(set) var overlaps = 0
    private(set) var threads: Set<String> = []
    private(set) var notes: [Int] = []
    private let isBusy = Mutex(false)

    func step() {
        let wasBusy = isBusy.withLock { busy in
            defer { busy = true }
            return busy
        }
        if wasBusy { overlaps += 1 }
        threads.insert(currentThread())
        steps += 1
        isBusy.withLock { $0 = false }
    }

    func note(_ number: Int) { notes.append(number) }

    func wait(for latch: Latch) { latch.wait() }

    func blocks(_ signals: [Int32]) -> Bool {
        var blocked = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &blocked)
        return signals.allSatisfy { sigismember(&blocked, $0) == 1 }
    }
}

/// Blocks the thread of whoever waits until it is opened.
private final class Latch: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }
    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() { sem_wait(semaphore) }
    func open() { sem_post(semaphore) }
}
