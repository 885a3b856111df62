/// Where this run's local store is, whether or not it exists.
package struct StoreFolder {
    /// The store's folder.
    package let folder: String
}
