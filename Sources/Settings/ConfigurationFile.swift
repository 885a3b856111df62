import ByteCodec
import Glibc
import TapManager
import Terminal

/// The configuration file: one JSON object of strings, `$XDG_CONFIG_HOME/tapkit/config.json`.
///
/// Its settings can put money at risk (the chain server, another factory root), so others must not be able to write to
/// it.
package struct ConfigurationFile {
    /// Far more than all values together need.
    private static let sizeLimit = 65_536
    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700
    private static let othersMayWrite: mode_t = 0o022

    /// The file's path, whether or not it exists.
    package let path: String
    /// The settings in it.
    package private(set) var values: [ConfigurationKey: String]

    /// Reads the file; a missing file is the same as an empty one.
    /// - Parameter key: one that is about to be set, so that its present value may be invalid; `nil`: none.
    /// - Throws: `SettingError.badConfiguration` for a file that others may write to, that is not a JSON object of strings,
    ///   that has a key twice, or that has an unknown key or an invalid value.
    package static func read(toChange key: ConfigurationKey? = nil) throws(SettingError) -> ConfigurationFile {
        let path = Self.path ?? ""
        guard let bytes = try bytes(in: path) else { return ConfigurationFile(path: path, values: [:]) }
        return ConfigurationFile(path: path, values: try values(of: bytes, in: path, except: key))
    }

    /// Removes a key, also an unknown one. What else is in the file may be invalid, so that one repair can follow the
    /// other.
    /// - Returns: the file, and whether the key was in it; if not, the file was not written.
    /// - Throws: `SettingError.badConfiguration` for a file that others may write to, or that is not a JSON object of
    ///   strings; `WritingError` if the file cannot be written.
    package static func removing(_ name: String) throws -> (file: ConfigurationFile, wasSet: Bool) {
        let path = Self.path ?? ""
        guard let bytes = try bytes(in: path) else { return (ConfigurationFile(path: path, values: [:]), false) }
        var texts = try texts(of: bytes, in: path)
        let wasSet = texts.removeValue(forKey: name) != nil
        let known = texts.compactMap { name, value in ConfigurationKey(rawValue: name).map { ($0, value) } }
        let file = ConfigurationFile(path: path, values: Dictionary(uniqueKeysWithValues: known))
        if wasSet { try file.write(texts) }
        return (file, wasSet)
    }

    /// The file's content; `nil` if there is none.
    private static func bytes(in path: String) throws(SettingError) -> [UInt8]? {
        guard !path.isEmpty else { return nil }
        var information = stat()
        guard stat(path, &information) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw Self.failure(path, String(cString: strerror(errno)))
            }
            return nil
        }
        guard information.st_uid == geteuid() || information.st_uid == 0 else {
            throw Self.failure(path, "it belongs to another user, number \(information.st_uid)")
        }
        guard information.st_mode & othersMayWrite == 0 else {
            throw Self.failure(path, "others can write to it", remedy: "If nobody changed it: chmod go-w \(path)")
        }
        do { return try InputFile.bytes(of: path, limit: sizeLimit) } catch {
            throw SettingError(.badConfiguration, error.message, advice: .file)
        }
    }

    /// The strings in a file.
    /// - Throws: `SettingError.badConfiguration` for one that is not a JSON object of strings, or that has a key twice.
    private static func texts(of bytes: [UInt8], in path: String) throws(SettingError) -> [String: String] {
        do throws(JSONFault) { _ = try JSONReader.value(bytes) } catch {
            // Everything else is for the more lenient reader of what people write.
            if error.reason == .repeatedKey { throw Self.failure(path, "it has the same key twice") }
        }
        guard let texts = try? JSONDocument.value([String: String].self, of: bytes) else {
            throw Self.failure(path, "it is not a JSON object whose values are strings")
        }
        return texts
    }

    /// The settings in a file.
    /// - Parameter unchecked: the key whose value may be invalid; `nil`: none.
    /// - Throws: `SettingError.badConfiguration` for one that is not a JSON object of strings, or that has an unknown key or
    ///   an invalid value.
    package static func values(
        of bytes: [UInt8], in path: String, except unchecked: ConfigurationKey? = nil
    ) throws(SettingError) -> [ConfigurationKey: String] {
        let texts = try texts(of: bytes, in: path)
        var values: [ConfigurationKey: String] = [:]
        for (name, value) in texts.sorted(by: { $0.key < $1.key }) {
            guard let key = ConfigurationKey(rawValue: name) else {
                throw Self.failure(path, "unknown key “\(name)”", remedy: "Keys: \(ConfigurationKey.names).")
                    .saved(unknown: name)
            }
            if key != unchecked {
                do throws(SettingError) { try key.check(value) } catch {
                    throw error.saved(key, in: path)
                }
            }
            values[key] = value
        }
        return values
    }

    /// Sets a value, and writes the file.
    /// - Throws: `SettingError`: `.badConfiguration` for an invalid value, `.badEnvironment` if there is no place for the
    ///   file; `WritingError` if the file cannot be written.
    package mutating func set(_ value: String, for key: ConfigurationKey) throws {
        try key.check(value)
        guard !path.isEmpty else {
            throw SettingError(.badEnvironment, "There is no home folder for the configuration.", remedy: "Set HOME.")
        }
        values[key] = value
        try write(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
    }

    private func write(_ texts: [String: String]) throws(WritingError) {
        // Strings can always be encoded.
        guard let text = try? JSONDocument.text(texts, keys: .asNamed, .lines) else { return }
        try makeFolder()
        try AtomicFile.write(Array(text.utf8), to: path, mode: Self.fileMode)
    }

    /// Creates the folder and its parents.
    /// - Throws: why the first one could not be made, if the folder does not exist.
    private func makeFolder() throws(WritingError) {
        var problem: WritingError?
        for slash in path.indices.dropFirst() where path[slash] == "/" {
            let folder = String(path[..<slash])
            guard mkdir(folder, Self.folderMode) != 0 else { continue }
            let number = errno
            if number != EEXIST, access(folder, F_OK) != 0 {
                problem = problem ?? WritingError(path: folder, errorNumber: number)
            }
        }
        if let problem { throw problem }
    }

    private static var path: String? {
        EnvironmentVariable.ownFolder(in: "XDG_CONFIG_HOME", usually: ".config").map { $0 + "/config.json" }
    }

    private static func failure(_ path: String, _ reason: String, remedy: String = "") -> SettingError {
        SettingError(.badConfiguration, "\(path): \(reason).", remedy: remedy, advice: remedy.isEmpty ? .file : nil)
    }
}
