import CFuzzer
import Glibc

/// Searches for inputs that break a property of a parser. Built only with `TAPKIT_FUZZ` set; `.ci/fuzz` builds and runs
/// it.
///
///     tapkit-fuzz TARGET [libFuzzer's options] CORPUS…
///     tapkit-fuzz TARGET FILE…         tries the bytes of files, such as a crash's
///     tapkit-fuzz --targets            names the targets, with the most bytes that are tried
///     tapkit-fuzz --seeds FOLDER       writes what searches start with, a folder for each target
@main enum Fuzzer {
    /// Passes the target's name to the processes that libFuzzer starts.
    private static let variable = "TAPKIT_FUZZ_TARGET"

    private static let target: (any FuzzTarget.Type)? = getenv(variable).flatMap { FuzzTargets[String(cString: $0)] }

    static func main() throws {
        var arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "--targets":
            for target in FuzzTargets.all { print(target.name, target.maximumLength) }
            return
        case "--seeds" where arguments.count == 3:
            try Seeds.write(to: arguments[2])
            return
        case let name? where FuzzTargets[name] != nil:
            setenv(variable, name, 1)
            arguments.remove(at: 1)
        default: break
        }
        guard let target else {
            print("usage: tapkit-fuzz TARGET [libFuzzer's options] CORPUS…")
            exit(64)
        }
        if !arguments.contains(where: { $0.hasPrefix("-max_len=") }) {
            arguments.insert("-max_len=\(target.maximumLength)", at: 1)
        }
        exit(run(arguments))
    }

    /// Hands over to libFuzzer, which calls back with inputs.
    private static func run(_ arguments: [String]) -> Int32 {
        // libFuzzer keeps pointers to the arguments.
        var pointers = arguments.map { strdup($0) } + [nil]
        var count = Int32(arguments.count)
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &base, tryOne)
        }
    }

    /// Tries an input.
    fileprivate static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An error is a rejection.
        try? target?.run(Array(bytes))
    }
}

/// libFuzzer calls this; its own main, which is linked in but not used, needs this name.
@_cdecl("LLVMFuzzerTestOneInput")
func tryOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzer.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
