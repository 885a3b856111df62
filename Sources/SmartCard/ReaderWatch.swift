/// The events of many readers of any type, as one stream.
public enum ReaderWatch {
    /// Merges streams; events come in the order in which they happen. The result ends with the last of them, and ending
    /// the result ends them all.
    public static func merged(_ streams: [AsyncStream<ReaderEvent>]) -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    for stream in streams {
                        group.addTask { for await event in stream { continuation.yield(event) } }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
