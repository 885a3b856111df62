import Bitcoin
import Glibc

/// The file of one simulated card, locked as long as this object lives.
///
/// It is readable by its owner only. A new state is written beside it, brought to the disk, and renamed over it, so
/// that a killed process leaves the old state or the new one.
public final class SimulatedCardFile {
    /// The most bytes a card's file may have.
    static let largest = 1 << 20

    /// Where the file is; symbolic links are resolved.
    public let path: String
    private var lock: LockedFile

    /// Opens a card's file for this process alone.
    /// - Throws: `SimulatedCardError`: `.notFound`, `.inUse`, `.fileFailed`.
    public init(path: String) throws(SimulatedCardError) {
        guard let resolved = realpath(path, nil) else { throw LockedFile.failure("opened", path) }
        self.path = String(cString: resolved)
        free(resolved)
        lock = try LockedFile(path: self.path)
    }

    /// What the file holds.
    /// - Throws: `SimulatedCardError`: `.damaged`, `.fileFailed`.
    func load() throws(SimulatedCardError) -> SimulatedCardState {
        try SimulatedCardState(fileContent: try lock.content(limit: Self.largest))
    }

    /// Replaces the state; when this returns it is on the disk.
    /// - Throws: `SimulatedCardError.fileFailed`; the old state is still there.
    func save(_ state: SimulatedCardState) throws(SimulatedCardError) {
        let draft = try Self.draft(of: state, for: path)
        guard rename(draft.path, path) == 0 else {
            let failure = LockedFile.failure("replaced", path)
            unlink(draft.path)
            throw failure
        }
        lock = draft
        Self.syncFolder(of: path)
    }

    /// Makes the file of a new card.
    /// - Throws: `SimulatedCardError`: `.exists`, `.inUse` while another process makes it, `.fileFailed`.
    static func create(_ state: SimulatedCardState, at path: String) throws(SimulatedCardError) {
        let draft = try draft(of: state, for: path)
        defer { unlink(draft.path) }
        guard link(draft.path, path) == 0 else {
            throw errno == EEXIST
                ? SimulatedCardError(.exists, "\(path) exists already.") : LockedFile.failure("created", path)
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
            throw SimulatedCardError(.fileFailed, "There is no folder for \(path).")
        }
        do throws(SimulatedCardError) { try draft.write(content) } catch {
            unlink(draft.path)
            throw error
        }
        return draft
    }

    /// Brings a rename to the disk. Without it a power cut may bring the old state back, which is no damage.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
