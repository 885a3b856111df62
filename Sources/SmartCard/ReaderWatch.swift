/// The events of many readers, of whatever kind, as one stream.
public enum ReaderWatch {
    /// Puts streams together; events come in the order in which they happen. It ends with the last of them, and ends all
    /// when it is ended.
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
