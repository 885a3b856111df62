import Foundation

/// A Python environment of the repository's own with the pinned packages of `Tests/Interop/requirements.txt`, and those of
/// `requirements-alone.txt` without what they depend on.
///
/// It is made below `.build` the first time a test asks for it and again when the pins change. Whatever is missing,
/// from `python3-venv` to a package that does not build, fails the test with the tool's own message.
public struct PythonEnvironment: Sendable {
    private let folder: URL
    private static let scripts = Vectors.root.appendingPathComponent("Tests/Interop")
    private static let ready = Task { try await prepare() }

    /// The environment, made when it is not there yet.
    public static func shared() async throws -> PythonEnvironment { try await ready.value }

    /// Runs a script of `Tests/Interop` with a JSON object as its standard input.
    /// - Returns: the JSON object on its standard output.
    /// - Throws: `Subprocess.Failure` with the traceback when the script fails.
    public func run(_ script: String, _ request: [String: Any]) async throws -> [String: Any] {
        let input = try JSONSerialization.data(withJSONObject: request)
        return try await Subprocess.run(
            command("python"), [Self.script(script)], input: input, environment: Self.variables, timeout: .seconds(120)
        ).succeeded().json()
    }

    /// The path of a command that the packages brought along, such as `cktap`.
    public func command(_ name: String) -> String { folder.appendingPathComponent("bin/\(name)").path }

    /// The path of a script of `Tests/Interop`, for programs that run it elsewhere.
    public static func script(_ name: String) -> String { scripts.appendingPathComponent(name).path }

    /// No bytecode beside the scripts, nothing from the machine's own packages.
    public static let variables: [String: String?] = [
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": nil, "PYTHONHOME": nil, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    ]

    private static func prepare() async throws -> PythonEnvironment {
        let build = Vectors.root.appendingPathComponent(".build")
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        let folder = build.appendingPathComponent("interop-python")
        let environment = PythonEnvironment(folder: folder)

        let lock = try FileLock("interop-python")
        defer { withExtendedLifetime(lock) {} }
        while !lock.takeIfFree() { try await Task.sleep(for: .milliseconds(200)) }

        // The marker is written last, so that a broken-off attempt is seen; scripts in the folder hold its path.
        let requirements = scripts.appendingPathComponent("requirements.txt")
        let alone = scripts.appendingPathComponent("requirements-alone.txt")
        let wanted =
            Data("\(folder.path)\n".utf8) + (try Data(contentsOf: requirements)) + (try Data(contentsOf: alone))
        let marker = folder.appendingPathComponent("complete")
        if (try? Data(contentsOf: marker)) == wanted { return environment }

        try await Subprocess.run(
            "/usr/bin/python3", ["-m", "venv", "--clear", folder.path], environment: variables, timeout: .seconds(120)
        ).succeeded()
        // HWI shuts out Python 3.13 (Debian 13) for the sake of a driver that is not wanted here.
        let withoutDrivers = ["--no-deps", "--ignore-requires-python"]
        for arguments in [["-r", requirements.path], withoutDrivers + ["-r", alone.path]] {
            try await Subprocess.run(
                environment.command("python"), ["-m", "pip", "install", "--no-input"] + arguments,
                environment: variables, timeout: .seconds(900)
            ).succeeded()
        }
        try wanted.write(to: marker, options: .atomic)
        return environment
    }
}
