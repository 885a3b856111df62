import Glibc
import Synchronization

/// Where secrets lie: pages locked against swapping and left out of core dumps where the system allows it, cut into slots.
///
/// To lock and unlock a page for each secret would take four system calls and split the map of the process, which all
/// threads wait for; and a user may often lock only a few pages. So pages are kept, and their slots used again. A
/// slot is all zeros while nobody has it.
enum SecretMemory {
    /// Bytes of the slots that keys, digests and CVCs fit in.
    private static let slotLength = 64
    private static let pageLength = max(slotLength, Int(sysconf(Int32(_SC_PAGESIZE))))
    private static let freeSlots = Mutex<[Slot]>([])

    /// The address of one; whoever took it from the list has it alone.
    private struct Slot: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
    }

    /// Gives `count` bytes, all zeros, aligned to 64 bytes.
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

    /// Wipes what `take` gave, and takes it back.
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
