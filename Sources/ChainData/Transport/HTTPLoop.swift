import CCurl
import Synchronization
import Threads

/// The thread on which all requests to one server run, in parallel, over connections that stay open.
final class HTTPLoop: Sendable {
    private struct State {
        var multi: Multi?
        var arrived: [HTTPTransfer] = []
        var isClosed = false
    }

    private struct Multi: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    private let state = Mutex(State())
    private let mostParallel: Int

    /// `nil` when no thread can be started or libcurl cannot be initialized.
    init?(mostParallel: Int) {
        self.mostParallel = max(1, mostParallel)
        guard let pointer = curl_multi_init() else { return nil }
        state.withLock { $0.multi = Multi(pointer: pointer) }
        guard DetachedThread.run({ self.run() }) else {
            curl_multi_cleanup(pointer)
            return nil
        }
    }

    /// Adds a request to the end of the queue.
    func add(_ transfer: HTTPTransfer) {
        let isAdded = state.withLock { state in
            guard !state.isClosed else { return false }
            state.arrived.append(transfer)
            Self.wake(state)
            return true
        }
        if !isAdded { transfer.abandon() }
    }

    /// Makes the thread look for cancelled requests.
    func wake() { state.withLock { Self.wake($0) } }

    /// Ends all requests, and the thread.
    func close() {
        state.withLock {
            $0.isClosed = true
            Self.wake($0)
        }
    }

    private static func wake(_ state: State) {
        if let multi = state.multi { curl_multi_wakeup(multi.pointer) }
    }

    private func run() {
        guard let multi = state.withLock({ $0.multi })?.pointer else { return }
        var waiting: [HTTPTransfer] = []
        var running: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
        while true {
            let (arrived, isClosed) = state.withLock { state in
                defer { state.arrived = [] }
                return (state.arrived, state.isClosed)
            }
            waiting += arrived
            for (handle, transfer) in running where isClosed || transfer.answer.isOver {
                curl_multi_remove_handle(multi, handle)
                running[handle] = nil
                transfer.abandon()
            }
            if isClosed { break }
            start(&waiting, &running, multi)
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            if finish(&running, multi), !waiting.isEmpty { continue }
            curl_multi_poll(multi, nil, 0, running.isEmpty ? 60_000 : 1_000, nil)
        }
        for transfer in waiting { transfer.abandon() }
        state.withLock { $0.multi = nil }
        curl_multi_cleanup(multi)
    }

    private func start(
        _ waiting: inout [HTTPTransfer], _ running: inout [UnsafeMutableRawPointer: HTTPTransfer],
        _ multi: UnsafeMutableRawPointer
    ) {
        var taken = 0
        while taken < waiting.count, running.count < mostParallel {
            let transfer = waiting[taken]
            taken += 1
            guard !transfer.answer.isOver, let handle = transfer.start() else { continue }
            curl_multi_add_handle(multi, handle)
            running[handle] = transfer
        }
        waiting.removeFirst(taken)
    }

    /// - Returns: whether a request has ended.
    private func finish(
        _ running: inout [UnsafeMutableRawPointer: HTTPTransfer], _ multi: UnsafeMutableRawPointer
    ) -> Bool {
        var hasFinished = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let status = message.pointee.data.result
            curl_multi_remove_handle(multi, handle)
            running.removeValue(forKey: handle)?.finish(status)
            hasFinished = true
        }
        return hasFinished
    }
}
