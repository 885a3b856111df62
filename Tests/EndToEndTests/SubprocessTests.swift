import Foundation
import TestSupport
import Testing

/// The tool that all tests of the built command stand on.
@Suite struct SubprocessTests {
    @Test func givesInputAndTakesBothOutputs() async throws {
        let run = try await Subprocess.run(
            "sh", ["-c", "cat; echo $GIVEN >&2; exit 3"], input: Data("in".utf8), environment: ["GIVEN": "aside"])
        #expect(run.ending == .exited(3))
        #expect(run.text == "in")
        #expect(run.errorText == "aside\n")
        #expect(throws: Subprocess.Failure.self) { try run.succeeded() }
    }

    @Test func takesMoreThanAPipeHolds() async throws {
        let run = try await Subprocess.run("head", ["-c", "3000000", "/dev/zero"]).succeeded()
        #expect(run.output.count == 3_000_000)
    }

    @Test func killsTheWholeGroupWhenTimeIsUp() async throws {
        let folder = try TemporaryFolder()
        let run = try await Subprocess.run(
            "sh", ["-c", "sleep 600 & echo $! >child; wait"], directory: folder.url, timeout: .milliseconds(1500))
        #expect(run.ending == .timedOut)
        let child = try String(contentsOfFile: folder.path("child"), encoding: .utf8).dropLast()
        // Dead; it may be gone, or wait for its burial.
        let status = { try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8) }
        for _ in 0..<100 where status()?.contains(") Z ") == false { try await Task.sleep(for: .milliseconds(50)) }
        #expect(status()?.contains(") Z ") ?? true)
    }

    @Test func passesOnNothingButTheStreams() async throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        // The fourth is the folder that it lists.
        #expect(try await Subprocess.run("ls", ["/proc/self/fd"]).succeeded().text == "0\n1\n2\n3\n")
    }

    @Test func tellsASignalFromAnExit() async throws {
        #expect(try await Subprocess.run("sh", ["-c", "kill -TERM $$"]).ending == .signalled(SIGTERM))
    }

    @Test func namesAProgramThatIsNotThere() async throws {
        await #expect(throws: Subprocess.ProgramNotFound.self) {
            try await Subprocess.run("no-such-program-of-tapkit")
        }
    }

    @Test func waitsForALineAndStops() async throws {
        let process = try InteractiveProcess("sh", ["-c", "echo one; echo two; exec sleep 600"])
        #expect(try await process.line { $0.hasPrefix("tw") } == "two")
        #expect(try await process.stop() == .signalled(SIGTERM))
        await #expect(throws: Subprocess.Failure.self) { try await process.line { $0 == "three" } }
    }
}
