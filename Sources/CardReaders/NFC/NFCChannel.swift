import SmartCard

/// A connection to a card through libnfc. It belongs to one thread.
///
/// libnfc has no transactions and needs none: a process that has the device has it exclusively.
final class NFCChannel: CardChannel {
    private static let commandLengths = 4...NFCDevice.longestCommand

    private let port: NFCPort
    private var isOpen = true
    /// Set when the card is lost; until `reconnect`, every call throws it.
    private var loss: ReaderError?

    /// Creates a channel that already has its place at the port.
    private init(in port: NFCPort) { self.port = port }

    /// Takes the port's place for a channel and selects the card.
    /// - Throws: `ReaderError`: `.readerBusy`, `.noCard`, `.cardMute`, `.noReader`, ….
    static func open(_ port: NFCPort) throws(ReaderError) -> NFCChannel {
        try port.enterChannel()
        let channel = NFCChannel(in: port)
        try select(port)
        return channel
    }

    deinit { disconnect() }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        try requireCard()
        guard Self.commandLengths.contains(command.count) else {
            throw ReaderError(.transportFailed, "The reader cannot send a command of \(command.count) bytes.")
        }
        do throws(ReaderError) {
            return try port.useOpen { (device) throws(ReaderError) in try device.transceive(command) }
        } catch {
            loss = error
            throw error
        }
    }

    /// Asks the card whether it is still there. A card that was removed and put back since the last transaction is
    /// noticed before a command is lost on it.
    func beginTransaction() throws(ReaderError) {
        try requireCard()
        do throws(ReaderError) {
            let isThere = try port.useOpen { (device) throws(ReaderError) in try device.keepsCard() }
            guard isThere else { throw NFCError.cardRemoved }
        } catch {
            loss = error
            throw error
        }
    }

    func endTransaction() {}

    func reconnect() throws(ReaderError) {
        guard isOpen else { throw Self.closed }
        try Self.select(port)
        loss = nil
    }

    func disconnect() {
        guard isOpen else { return }
        isOpen = false
        port.leaveChannel()
    }

    private func requireCard() throws(ReaderError) {
        guard isOpen else { throw Self.closed }
        if let loss { throw loss }
    }

    private static let closed = ReaderError(.transportFailed, "The connection to the card is closed.")

    private static func select(_ port: NFCPort) throws(ReaderError) {
        let finding = try port.use { (device) throws(ReaderError) in try device.selectAgain() }
        switch finding {
        case .smartCard: return
        case .otherThing: throw NFCError.noSmartCard
        case .nothing: throw NFCError.noCard
        }
    }
}
