import Glibc

/// Ends the process, as libFuzzer needs it to keep the bytes, when something is not true that must be.
func expect(
    _ isTrue: Bool, _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    guard !isTrue else { return }
    fail(property(), file: file, line: line)
}

/// Expects two values to be the same, and shows both when they are not.
func expectSame<Value: Equatable>(
    _ left: Value, _ right: Value, _ property: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    guard left != right else { return }
    fail("\(property()):\n    \(left)\n    \(right)", file: file, line: line)
}

/// The result of what must not throw.
func required<Value>(
    _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws -> Value
) -> Value {
    do { return try body() } catch { fail("\(property()): \(error)", file: file, line: line) }
}

/// The value of what must be there.
func required<Value>(
    _ value: Value?, _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Value {
    guard let value else { fail(property(), file: file, line: line) }
    return value
}

private func fail(_ property: String, file: StaticString, line: UInt) -> Never {
    let message = Array("\nBroken property at \(file):\(line): \(property)\n".utf8)
    _ = message.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
}
