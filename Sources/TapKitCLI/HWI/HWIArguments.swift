import Glibc
import TapKitHWI

/// The part of the command line that belongs to HWI.
enum HWIArguments {
    /// Options of tapkit's other verbs that HWI's command line ignores: it always answers in JSON, and asks nothing.
    private static let unknownFlags: Set<String> = ["--json", "--progress", "-y", "--yes"]

    /// HWI's arguments, each as its bytes; `nil` for any other verb. Passwords are erased from the process's argument
    /// list, which other programs can see.
    static func taken() -> [[UInt8]]? {
        let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
        guard let program = words.first.map({ String(cString: $0) }) else { return nil }
        let own: ArraySlice<UnsafeMutablePointer<CChar>>
        var leading: [String] = []
        if program.split(separator: "/").last == Substring(HWIProgram.name) {
            own = words.dropFirst()
        } else {
            let (options, rest) = CommandLineText.leadingOptions(words.dropFirst().map { String(cString: $0) })
            guard rest.first == HWIProgram.name else { return nil }
            leading = options
            own = words.suffix(rest.count - 1)
        }
        let taken = own.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        erase(HWIPasswords.places(in: taken), in: Array(own))
        return leading.filter { !unknownFlags.contains($0) }.map { Array($0.utf8) } + taken
    }

    /// - Parameter places: where overwriting starts in each word, by the word's index.
    private static func erase(_ places: [Int: Int], in words: [UnsafeMutablePointer<CChar>]) {
        for (index, start) in places where words.indices.contains(index) {
            let length = strlen(words[index])
            if start < length { memset(words[index] + start, 0x2A, length - start) }
        }
    }
}
