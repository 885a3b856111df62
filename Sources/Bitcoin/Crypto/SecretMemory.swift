import Glibc
import Synchronization

/// Memory for secrets: pages locked against swapping and left out of core dumps where the system allows it, cut into slots.
///
/// Locking and unlocking a page for each secret would take four system calls and split the process's memory map, which
/// blocks all threads; and a user may often lock only a few pages. So pages are kept, and their slots reused. A slot is
/// all zeros while it is free.
enum SecretMemory {
    /// The size, in bytes, of slots for keys, digests and CVCs.
    private static let slotLength = 64
    private static let pageLength = max(slotLength, Int(sysconf(Int32(_SC_PAGESIZE))))
    private static let freeSlots = Mutex<[Slot]>([])

    /// A slot's address; whoever took it from the list is its only owner.
    private struct Slot: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
    }

    /// Returns `count` bytes, all zeros, aligned to 64 bytes.
    static func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        guard count <= slotLength else {
            return UnsafeMutableRawBufferPointer(start: lockedPages(holding: count), count: count)
        }
        let slot = freeSlots.withLock { free in
            if free.isEmpty {
                let page = lockedPages(holding: pageLength)
                free = stride(from: 0, to: pageLength, by: slotLength).map { Slot(address: page + $0) }
            }
            return free.removeLast()
        }
        return UnsafeMutableRawBufferPointer(start: slot.address, count: count)
    }

    /// Wipes and takes back what `take` returned.
    static func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
        guard let address = memory.baseAddress else { return }
        guard memory.count <= slotLength else {
            let length = wholePages(memory.count)
            explicit_bzero(address, length)
            madvise(address, length, MADV_DODUMP)
            munlock(address, length)
            address.deallocate()
            return
        }
        explicit_bzero(address, slotLength)
        let slot = Slot(address: address)
        freeSlots.withLock { $0.append(slot) }
    }

    private static func lockedPages(holding count: Int) -> UnsafeMutableRawPointer {
        let length = wholePages(count)
        let pages = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: pageLength)
        pages.initializeMemory(as: UInt8.self, repeating: 0, count: length)
        mlock(pages, length)
        madvise(pages, length, MADV_DONTDUMP)
        return pages
    }

    private static func wholePages(_ count: Int) -> Int { (count + pageLength - 1) / pageLength * pageLength }
}
