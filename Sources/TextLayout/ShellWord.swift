/// A word as it is typed in a shell.
///
/// Spec: POSIX Shell Command Language, "Quoting".
package enum ShellWord {
    /// The word as a shell reads it back: in single quotes, unless it is plain.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:,=@+%".utf8.contains($0)
            }
        }
        return isPlain && !word.isEmpty
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
