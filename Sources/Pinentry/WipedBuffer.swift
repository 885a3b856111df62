import Glibc

/// A buffer for bytes that may be secret while they arrive. Its size is fixed, so that growing leaves no copies behind; it
/// is locked against swapping where the system allows it, and wiped.
final class WipedBuffer {
    /// The bytes; all of them may be written.
    let bytes: UnsafeMutableRawBufferPointer
    private let capacity: Int

    /// - Parameter count: the number of bytes.
    init(count: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        capacity = max(1, (count + page - 1) / page) * page
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: page)
        whole.initializeMemory(as: UInt8.self, repeating: 0)
        mlock(whole.baseAddress, capacity)
        madvise(whole.baseAddress, capacity, MADV_DONTDUMP)
        bytes = UnsafeMutableRawBufferPointer(rebasing: whole[..<count])
    }

    deinit {
        guard let base = bytes.baseAddress else { return }
        explicit_bzero(base, capacity)
        madvise(base, capacity, MADV_DODUMP)
        munlock(base, capacity)
        base.deallocate()
    }

    /// Overwrites everything with zeros.
    func wipe() {
        if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
    }
}
