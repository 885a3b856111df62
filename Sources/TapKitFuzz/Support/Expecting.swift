import Glibc

/// Ends the process if a property does not hold, which makes libFuzzer keep the input.
func expect(
    _ isTrue: Bool, _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    guard !isTrue else { return }
    fail(property(), file: file, line: line)
}

/// Expects two values to be equal, and shows both if they are not.
func expectSame<Value: Equatable>(
    _ left: Value, _ right: Value, _ property: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    guard left != right else { return }
    fail("\(property()):\n    \(left)\n    \(right)", file: file, line: line)
}

/// The result of something that must not throw.
func required<Value>(
    _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws -> Value
) -> Value {
    do { return try body() } catch { fail("\(property()): \(error)", file: file, line: line) }
}

/// A value that must exist.
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
