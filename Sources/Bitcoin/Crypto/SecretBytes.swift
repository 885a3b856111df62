import CSecp256k1
import Glibc

/// A few secret bytes: locked against swapping and left out of core dumps where the system allows it, never copied by the
/// type itself, and wiped when the last reference is released.
///
/// No description, mirror or encoding shows its content.
public final class SecretBytes: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    // Written only before `init` returns, read-only afterwards, hence safe to share.
    private let storage: UnsafeMutableRawBufferPointer

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Takes `count` bytes that `fill` writes; they start as zeros.
    public init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        storage = SecretMemory.take(count)
        try fill(storage)
    }

    /// Copies `bytes`; the caller must wipe the source.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Moves `bytes` here: the array is wiped and emptied.
    public convenience init(moving bytes: inout [UInt8]) {
        self.init(bytes)
        bytes.wipe()
    }

    deinit { SecretMemory.giveBack(storage) }

    /// Lends the bytes for reading. Afterwards, 16 KB of the stack on which `body` ran are overwritten.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { wipe_stack_below() }
        return try body(UnsafeRawBufferPointer(storage))
    }

    /// Lends the address of the first byte, for C libraries. Afterwards, 16 KB of the stack on which they ran are
    /// overwritten.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result {
        defer { wipe_stack_below() }
        return try storage.withMemoryRebound(to: UInt8.self) {
            try body(UnsafePointer($0.baseAddress.unsafelyUnwrapped))
        }
    }

    /// Whether both hold the same bytes; takes the same time wherever they differ.
    public func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= storage[index] ^ other.storage[index] }
        return difference == 0
    }

    /// Always the same text, whatever the content.
    public var description: String { "<secret>" }

    /// Shows nothing to reflection by debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// An array that a C function fills. `fill` gets the address of `capacity` bytes, and the count, which it may lower.
    init(capacity: Int, filledBy fill: (UnsafeMutablePointer<UInt8>, inout Int) -> Void) {
        self.init(repeating: 0, count: capacity)
        var count = capacity
        withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { fill(base, &count) }
        }
        removeLast(capacity - Swift.min(capacity, count))
    }

    /// Overwrites the bytes with zeros in a way that the compiler cannot leave out, then empties the array.
    ///
    /// Wipes this array's own storage; a copy that shares it keeps its content.
    public mutating func wipe() {
        withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        }
        removeAll()
    }
}
