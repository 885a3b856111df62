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

    /// A key and its value, as written.
    private typealias Member = (key: String, value: String)

    /// Reads the file; a missing file is the same as an empty one.
    /// - Parameter key: one that is about to be set, so that its present value may be invalid, and appear more than
    ///   once; `nil`: none.
    /// - Throws: `SettingError.badConfiguration` for a file that others may write to, that is not a JSON object of strings,
    ///   that has a key twice, or that has an unknown key or an invalid value.
    package static func read(toChange key: ConfigurationKey? = nil) throws(SettingError) -> ConfigurationFile {
        let path = Self.path ?? ""
        guard let bytes = try bytes(in: path) else { return ConfigurationFile(path: path, values: [:]) }
        return ConfigurationFile(path: path, values: try values(of: bytes, in: path, except: key))
    }

    /// Removes a key, also an unknown one, wherever it appears. What else is in the file may be invalid, or appear
    /// twice, and stays as it is, so that one repair can follow the other.
    /// - Returns: the file, with the settings that appear once, and whether the key was in it; if not, the file was not
    ///   written.
    /// - Throws: `SettingError.badConfiguration` for a file that others may write to, or that is not a JSON object of
    ///   strings; `WritingError` if the file cannot be written.
    package static func removing(_ name: String) throws -> (file: ConfigurationFile, wasSet: Bool) {
        let path = Self.path ?? ""
        guard let bytes = try bytes(in: path) else { return (ConfigurationFile(path: path, values: [:]), false) }
        let members = try members(of: bytes, in: path)
        let left = members.filter { $0.key != name }
        var values: [ConfigurationKey: String] = [:]
        for (other, found) in Dictionary(grouping: left, by: { $0.key }) where found.count == 1 {
            if let key = ConfigurationKey(rawValue: other) { values[key] = found.first?.value }
        }
        let file = ConfigurationFile(path: path, values: values)
        let wasSet = left.count < members.count
        if wasSet { try file.write(left) }
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

    /// The keys and values in a file, in order; a key that appears twice is returned twice.
    /// - Throws: `SettingError.badConfiguration` for a file that is not a JSON object of strings.
    private static func members(of bytes: [UInt8], in path: String) throws(SettingError) -> [Member] {
        let strings: [Member]?
        if let members = try? JSONReader.members(bytes) {
            let found: [Member] = members.compactMap { member in member.value.string.map { (member.key, $0) } }
            strings = found.count == members.count ? found : nil
        } else {
            // What the strict reader refuses is for the more lenient one of what people write.
            strings = (try? JSONDocument.value([String: String].self, of: bytes)).map(Self.sorted)
        }
        guard let strings else { throw Self.failure(path, "it is not a JSON object whose values are strings") }
        return strings
    }

    private static func sorted(_ texts: [String: String]) -> [Member] {
        texts.sorted { $0.key < $1.key }
    }

    /// The settings in a file.
    /// - Parameter unchecked: the key whose value may be invalid, and that may appear more than once; `nil`: none.
    /// - Throws: `SettingError.badConfiguration` for one that is not a JSON object of strings, that has a key twice, or
    ///   that has an unknown key or an invalid value.
    package static func values(
        of bytes: [UInt8], in path: String, except unchecked: ConfigurationKey? = nil
    ) throws(SettingError) -> [ConfigurationKey: String] {
        var texts: [String: String] = [:]
        for (name, value) in try members(of: bytes, in: path) {
            guard texts.updateValue(value, forKey: name) == nil || name == unchecked?.rawValue else {
                throw SettingError(.badConfiguration, "\(path): the key “\(name)” appears more than once.")
                    .saved(repeated: name)
            }
        }
        var values: [ConfigurationKey: String] = [:]
        for (name, value) in Self.sorted(texts) {
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
        try write(Self.sorted(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })))
    }

    private func write(_ members: [Member]) throws(WritingError) {
        let text = JSONText.object(members.map { ($0.key, .string($0.value)) }).lines
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
