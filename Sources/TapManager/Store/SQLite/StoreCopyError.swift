/// Why the store could not be copied into another file.
package enum StoreCopyError: Error, Sendable, Equatable {
    /// The store could not be read.
    case store(StoreError)
    /// The copy could not be written.
    case file(WritingError)
    /// The copy was written, but is damaged: SQLite's report.
    case notWhole(path: String, reason: String)
    /// The store is not in a file: it ends with the process.
    case inMemory
}
