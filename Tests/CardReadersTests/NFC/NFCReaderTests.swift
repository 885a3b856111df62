import Foundation
import SmartCard
import TapSimulator
import TestSupport
import Testing

@testable import CardReaders

/// What only NFC readers do: the port, the chip that misbehaves, libnfc's limits.
@Suite struct NFCReaderTests {
    @Test func aMissingPortIsNamed() async throws {
        try await BlockingThread.run {
            let reader = try Self.reader("/dev/no-such-port")
            let error = #expect(throws: ReaderError.self) { try reader.connect() }
            #expect(error?.code == .noReader)
            #expect(error?.message.contains("/dev/no-such-port") == true)
            let wait = #expect(throws: ReaderError.self) {
                try reader.waitForCard(isPresent: true, timeout: .seconds(9))
            }
            #expect(wait?.code == .noReader)
        }
    }

    @Test func aFileIsNoPort() async throws {
        try await BlockingThread.run {
            let folder = try TemporaryFolder()
            try folder.write("", to: "port")
            let reader = try Self.reader(folder.path("port"))
            let error = #expect(throws: ReaderError.self) { try reader.connect() }
            #expect(error?.code == .noReader)
            #expect(error?.message.contains("not a serial port") == true)
        }
    }

    /// The system takes a moment to say who may use a port that was plugged in: until then it counts as absent, and is waited
    /// for. Root may use every port, so the test asks as somebody else.
    @Test func aNewPortIsAbsentUntilItIsOpenedToItsUsers() async {
        for (age, isNew) in [(-1, false), (0, true), (2, true), (3, false), (.max, false)] as [(Int, Bool)] {
            let error = NFCError.closed("/dev/ttyUSB0", age: age)
            #expect(error.kind == (isNew ? .noReader : .permissionDenied))
            #expect(error.message.contains("setting up") == isNew && error.remedy.contains("dialout") != isNew)
        }
        await #expect(processExitsWith: .success) {
            let bench = try NFCBench()
            guard let path = bench.chip?.path, chmod(path, 0) == 0, geteuid() != 0 || setuid(65_534) == 0 else {
                exit(2)
            }
            do throws(ReaderError) { _ = try NFCReaderTests.reader(path).connect() } catch {
                exit(error.kind == .noReader && error.message.contains("setting up") ? 0 : 3)
            }
            exit(4)
        }
    }

    @Test func aPortWithoutAChipSaysSo() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            bench.chip?.misbehave(.silent)
            let error = #expect(throws: ReaderError.self) { try bench.reader.connect() }
            #expect(error?.code == .noReader)
            #expect(error?.remedy.isEmpty == false)
            bench.chip?.misbehave(nil)
            try bench.insertCard(ScriptedCard.agree)
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func whatIsTooLongForLibnfcNeverReachesIt() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.echo)
            let channel = try bench.reader.connect()
            let longest = try channel.transmit([0, 0xE2, 0, 0] + [UInt8](repeating: 7, count: 258))
            #expect(longest == [0x90, 0x00])
            for count in [263, 264, 300, 70_000] {
                let error = #expect(throws: ReaderError.self) {
                    try channel.transmit([0, 0xE2, 0, 0] + [UInt8](repeating: 7, count: count - 4))
                }
                #expect(error?.code == .transportFailed)
            }
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func anAnswerCutOffIsALossOfTheCard() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard { $0[1] == 0xE3 ? .answer([1, 2, 3, 4]) : .answer([0x90, 0x00]) }
            let channel = try bench.reader.connect()
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 0xE3, 0, 0]) }
            #expect(error?.code == .cardRemoved)
            try channel.reconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func aWrongChecksumIsAnErrorAndTheLineRecovers() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            bench.chip?.misbehave(.wrongChecksum.at(exchange: 3))
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(error?.code == .transportFailed)
            bench.chip?.misbehave(nil)
            try channel.reconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func aChipThatFallsSilentIsGivenUp() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            bench.chip?.misbehave(.silent)
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(error?.code == .transportFailed)
            let again = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(again == error)
            bench.chip?.misbehave(nil)
            try channel.reconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func aPortThatAnotherProgramHasIsBusy() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.agree)
            // The same port by another name is another device to libnfc, and the same to the lock.
            let path = try #require(bench.chip?.path)
            let channel = try bench.reader.connect()
            let error = #expect(throws: ReaderError.self) { try Self.reader(path).connect() }
            #expect(error?.code == .readerBusy)
            #expect(error?.message.contains("\(getpid())") == true)
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    /// A wrong card is waited for to go; the right one may be there before anybody has looked.
    @Test func aCardChangedForAnotherBetweenTwoLooksHasBeenAway() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.saying(1))
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [1, 0x90, 0x00])
            let (isSeen, isDone) = (Flag(), Flag())
            Thread.detachNewThread {
                // Again and again, because nothing tells that the first look is over.
                while !isSeen.isSet {
                    // The chip's hand takes the one away and lays the other one down at once.
                    bench.chip?.insert(ScriptedTarget(ScriptedCard.saying(2)))
                    usleep(100_000)
                }
                isDone.set()
            }
            do {
                defer { isSeen.set() }
                try bench.reader.waitForCard(isPresent: false, timeout: .seconds(20))
            }
            #expect(isDone.wait())
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
        }
    }

    /// A card that is laid down comes and goes for a moment. Who was told that it is there and then found none waits to
    /// be told again.
    @Test func aCardThatIsMissedOnceIsToldAgain() async throws {
        try await BlockingThread.run {
            let bench = try NFCBench()
            let reader = try #require(bench.reader as? NFCReader)
            let log = EventLog(bench.events())
            #expect(log.next() == .readerAttached(spec: reader.spec))
            try bench.insertCard(ScriptedCard.agree)
            #expect(log.next() == .cardInserted(spec: reader.spec))
            // Between two looks of the watch.
            try NFCPort.shared(reader.connection).use { (device) throws(ReaderError) in
                bench.chip?.pull()
                #expect(try device.selectAgain() == .nothing)
                bench.chip?.insert(ScriptedTarget(ScriptedCard.agree))
            }
            #expect(log.next(within: .seconds(20)) == .cardRemoved(spec: reader.spec))
            #expect(log.next() == .cardInserted(spec: reader.spec))
        }
    }

    /// Anybody may make files where the locks are.
    @Test func aTrapInPlaceOfALockFileIsPassedBy() async throws {
        try await BlockingThread.run {
            let (bench, reader) = try Self.withoutLocks()
            defer { withExtendedLifetime(bench) {} }
            let files = reader.connection.lockFiles
            defer { for file in files { unlink(file) } }
            #expect(mkfifo(files[0], 0o644) == 0)
            let channel = try reader.connect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            #expect(access(files[1], F_OK) == 0)
        }
    }

    /// Whoever may open a lock file can lock it for good, and keep the reader from everybody: nobody else may, and a file that
    /// others may open is passed by, whoever made it.
    @Test func nobodyElseCanHoldTheLock() async throws {
        try await BlockingThread.run {
            let (bench, reader) = try Self.withoutLocks()
            defer { withExtendedLifetime(bench) {} }
            let files = reader.connection.lockFiles
            defer { for file in files { unlink(file) } }
            // As another user would have laid it there: open to all, and locked.
            let held = open(files[0], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            #expect(held >= 0 && fchmod(held, 0o666) == 0 && flock(held, LOCK_EX | LOCK_NB) == 0)
            defer { close(held) }
            let channel = try reader.connect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            var status = stat()
            #expect(stat(files[1], &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600 && status.st_uid == geteuid())
            // The last place is one where nobody else can lay anything.
            let home = try #require(getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) })
            #expect(files.last?.hasPrefix(home + "/") == true)
        }
    }

    /// A program that was started before its user logged in has the file in another place, where the folder of those who
    /// are logged in was not there yet.
    @Test func aLockInAnotherPlaceCounts() async throws {
        try await BlockingThread.run {
            let (bench, reader) = try Self.withoutLocks()
            defer { withExtendedLifetime(bench) {} }
            let files = reader.connection.lockFiles
            defer { for file in files { unlink(file) } }
            let held = open(files[1], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            #expect(held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0)
            let error = #expect(throws: ReaderError.self) { try reader.connect() }
            #expect(error?.code == .readerBusy)
            close(held)
            let channel = try reader.connect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test func tooManyOpenFilesAreRefusedBeforeLibnfcEndsTheProcess() async {
        await #expect(processExitsWith: .success) {
            let bench = try NFCBench()
            try bench.insertCard(ScriptedCard.agree)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 4096)
            guard limit.rlim_cur > 1100, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                exit(2)
            }
            while open("/dev/null", O_RDONLY) < 1022 {}
            let error = #expect(throws: ReaderError.self) { try bench.reader.connect() }
            #expect(error?.code == .transportFailed)
        }
    }

    /// A bench with a card, and a reader whose lock files are not there.
    private static func withoutLocks() throws -> (NFCBench, NFCReader) {
        let bench = try NFCBench()
        try bench.insertCard(ScriptedCard.agree)
        let reader = try reader(try #require(bench.chip?.path))
        for file in reader.connection.lockFiles { unlink(file) }
        return (bench, reader)
    }

    private static func reader(_ path: String) throws(ReaderError) -> NFCReader {
        guard let connection = NFCConnectionString("pn532_uart:\(path)") else {
            throw ReaderError(.transportFailed, "not libnfc's: \(path)")
        }
        return NFCReader(connection)
    }
}
