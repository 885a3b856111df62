import Glibc

/// The names in a folder.
enum FolderListing {
    /// What is in a folder and meets a condition, without the folder itself and the one around it.
    /// - Parameter count: the most names that are returned.
    /// - Returns: `nil` if the folder cannot be read.
    static func names(
        in path: String, atMost count: Int, where condition: (String) -> Bool = { _ in true }
    ) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < count {
            errno = 0
            guard let entry = readdir(folder) else { return errno == 0 ? names : nil }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != "..", condition(name) { names.append(name) }
        }
        return names
    }
}
