import CPCSC
import CardReaders
import Foundation
import SmartCard
import Synchronization
import TestSupport

/// A virtual reader of the PC/SC service.
final class PCSCBench: ReaderBench {
    let reader: any CardReader
    private let port: UInt16
    private let card = Mutex<VirtualCard?>(nil)

    init(_ slot: VirtualReaderSlot) {
        port = slot.port
        reader = PCSCReader(name: slot.readerName)
    }

    func freshReader() -> any CardReader { PCSCReader(name: reader.name) }

    /// Lays a card down as a person would: once more when nothing is seen, for a busy service overlooks a card that comes
    /// just after another one was taken away.
    func insertCard(_ answer: @escaping @Sendable ([UInt8]) -> CardReply) throws {
        for _ in 1..<6 {
            try lay(VirtualCard(port: port, answer: answer))
            do throws(ReaderError) {
                return try reader.waitForCard(isPresent: true, timeout: .seconds(10))
            } catch {
                guard error.code == .timedOut else { throw error }
            }
            take()
            Thread.sleep(forTimeInterval: 1)
        }
        try lay(VirtualCard(port: port, answer: answer))
        try reader.waitForCard(isPresent: true, timeout: .seconds(60))
    }

    func removeCard() throws {
        take()
        try reader.waitForCard(isPresent: false, timeout: .seconds(60))
    }

    func after(_ delay: Duration, _ action: CardAction) throws {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            switch action {
            case .insert: try? self.lay(VirtualCard(port: self.port, answer: ScriptedCard.agree))
            case .remove: self.take()
            }
        }
    }

    func resetFromOutside() throws {
        var context = SCARDCONTEXT()
        var handle = SCARDHANDLE()
        var activeProtocol = DWORD()
        let protocols = DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)
        try check(SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context))
        defer { SCardReleaseContext(context) }
        try check(
            SCardConnect(context, reader.name, DWORD(SCARD_SHARE_SHARED), protocols, &handle, &activeProtocol))
        try check(SCardDisconnect(handle, DWORD(SCARD_RESET_CARD)))
    }

    func events() -> AsyncStream<ReaderEvent> { PCSCBackend().events().ofReader(reader.spec) }

    private func lay(_ card: VirtualCard) throws {
        try card.insert()
        self.card.withLock { $0 = card }
    }

    private func take() { card.withLock { $0 = nil } }

    private func check(_ status: LONG) throws {
        struct Refused: Error { let status: LONG }
        guard status == SCARD_S_SUCCESS else { throw Refused(status: status) }
    }
}
