import Bitcoin
import Glibc

/// The file of one simulated card, locked as long as this object lives.
///
/// Only its owner can read it. A new state is written to a second file, flushed to disk, and renamed over it, so that a
/// killed process leaves either the old state or the new one.
public final class SimulatedCardFile {
    /// The most bytes that a card's file may have.
    static let largest = 1 << 20

    /// Where the file is, with symbolic links resolved.
    public let path: String
    private var lock: LockedFile

    /// Opens a card's file for this process alone.
    /// - Throws: `SimulatedCardError`: `.notFound`, `.inUse`, `.unreadable`.
    public init(path: String) throws(SimulatedCardError) {
        guard let resolved = realpath(path, nil) else { throw LockedFile.failure("opened", path, .unreadable) }
        self.path = String(cString: resolved)
        free(resolved)
        lock = try LockedFile(path: self.path)
    }

    /// The content of the file.
    /// - Throws: `SimulatedCardError`: `.damaged`, `.unreadable`.
    func load() throws(SimulatedCardError) -> SimulatedCardState {
        let content = try lock.content(limit: Self.largest)
        do throws(SimulatedCardError) { return try SimulatedCardState(fileContent: content) } catch {
            throw SimulatedCardError(error.kind, "\(path): \(error.message)")
        }
    }

    /// Replaces the state; when this returns, it is on disk.
    /// - Throws: `SimulatedCardError.fileFailed`; the old state is then still there.
    func save(_ state: SimulatedCardState) throws(SimulatedCardError) {
        let draft = try Self.draft(of: state, for: path)
        guard rename(draft.path, path) == 0 else {
            let failure = LockedFile.failure("replaced", path, .fileFailed)
            unlink(draft.path)
            throw failure
        }
        lock = draft
        Self.syncFolder(of: path)
    }

    /// Creates the file of a new card.
    /// - Throws: `SimulatedCardError`: `.exists`, `.inUse` while another process creates it, `.fileFailed`.
    static func create(_ state: SimulatedCardState, at path: String) throws(SimulatedCardError) {
        let draft = try draft(of: state, for: path)
        defer { unlink(draft.path) }
        guard link(draft.path, path) == 0 else {
            throw errno == EEXIST
                ? SimulatedCardError(.exists, "\(path) already exists.")
                : LockedFile.failure("created", path, .fileFailed)
        }
        syncFolder(of: path)
    }

    private static func draft(
        of state: SimulatedCardState, for path: String
    ) throws(SimulatedCardError) -> LockedFile {
        var content = try state.fileContent()
        defer { content.wipe() }
        let draft: LockedFile
        do {
            draft = try LockedFile(path: path + ".new", creating: true)
        } catch {
            guard error.kind == .notFound else { throw error }
            throw SimulatedCardError(.fileFailed, "The folder for \(path) does not exist.")
        }
        do throws(SimulatedCardError) { try draft.write(content) } catch {
            unlink(draft.path)
            throw error
        }
        return draft
    }

    /// Flushes a rename to disk. Without it a power cut may restore the old state, which does no harm.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
