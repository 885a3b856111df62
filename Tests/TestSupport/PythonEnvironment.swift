import Foundation

/// A Python environment of the repository's own with the pinned packages of `Tests/Interop/requirements.txt`, and those of
/// `requirements-alone.txt` without what they depend on.
///
/// `Tests/Interop/setup-python` makes it below `.build`, before the tests: they have no network. A test that asks for one
/// that is not there, or made from other pins, fails.
public struct PythonEnvironment: Sendable {
    private let folder: URL
    private static let scripts = Vectors.root.appendingPathComponent("Tests/Interop")
    private static let ready = Result { try prepare() }
    private static let server = Result { try PythonServer(shared()) }

    /// The environment.
    /// - Throws: when it was not made.
    public static func shared() throws -> PythonEnvironment { try ready.get() }

    /// Runs a script of `Tests/Interop` with a JSON object as its standard input.
    /// - Returns: the JSON object on its standard output.
    /// - Throws: `Subprocess.Failure` with the traceback when the script fails.
    public func run(_ script: String, _ request: [String: Any]) async throws -> [String: Any] {
        let input = try JSONSerialization.data(withJSONObject: request)
        return try await Self.server.get().run(script, input: input).succeeded().json()
    }

    /// The path of a command that the packages brought along, such as `cktap`.
    public func command(_ name: String) -> String { folder.appendingPathComponent("bin/\(name)").path }

    /// The path of a script of `Tests/Interop`, for programs that run it elsewhere.
    public static func script(_ name: String) -> String { scripts.appendingPathComponent(name).path }

    /// No bytecode beside the scripts, nothing from the machine's own packages.
    public static let variables: [String: String?] = [
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": nil, "PYTHONHOME": nil, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    ]

    private static func prepare() throws -> PythonEnvironment {
        let folder = Vectors.root.appendingPathComponent(".build/interop-python")
        let pins = try ["requirements.txt", "requirements-alone.txt"].map {
            try Data(contentsOf: scripts.appendingPathComponent($0))
        }
        let wanted = pins.reduce(Data("\(folder.path)\n".utf8), +)
        guard (try? Data(contentsOf: folder.appendingPathComponent("complete"))) == wanted else { throw Missing() }
        return PythonEnvironment(folder: folder)
    }

    /// The environment is not there, or is made from other pins.
    struct Missing: Error, CustomStringConvertible {
        let description = "The Python judges are missing or outdated: run udev/setup.sh --tests"
    }
}
