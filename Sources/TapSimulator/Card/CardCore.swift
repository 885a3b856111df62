import Bitcoin
import ByteCodec

/// A card with power: what it keeps, and what it forgets when the field drops. A value type, so that a command whose
/// result cannot be saved is undone by restoring the old value.
struct CardCore: Sendable {
    /// What survives a loss of power.
    var state: SimulatedCardState
    /// What lasts until power is lost; `nil` without power.
    var power: PowerState?
    /// How long the next response must be delayed, in `wait` commands.
    var owedWaits = 0
    /// Whether the next response must be delayed as long as a signature takes.
    var owesSignature = false

    /// Makes it misbehave; `nil` except in tests.
    var mischief: (any CardMischief)?

    /// What lasts as long as the card has power.
    struct PowerState: Sendable {
        var random: CardRandom
        var nonce: [UInt8]
        /// What was last selected; `nil` means nothing yet.
        var application: Application?
    }

    /// What can be selected on a card.
    enum Application: Sendable {
        /// The tap-card protocol.
        case tap
        /// The application from which phones read the link.
        case tag(NDEFTag)
    }

    init(state: SimulatedCardState) { self.state = state }

    /// Switches the field on: a new nonce, nothing selected.
    mutating func powerOn() {
        if state.seed != nil { state.powerCycles &+= 1 }
        var random = CardRandom(seed: state.seed?.bytes, session: state.powerCycles)
        let nonce = random.bytes(CardRequest.nonceLength)
        power = PowerState(random: random, nonce: nonce)
        mischief?.powerCame(to: &self)
    }

    /// Drops the field.
    mutating func powerOff() { power = nil }

    /// The nonce for the next command that uses one, 16 bytes; empty without power.
    var nonce: [UInt8] { power?.nonce ?? [] }

    /// Picks the nonce for the next command.
    mutating func renewNonce() {
        guard mischief?.keepsNonce != true else { return }
        let nonce = randomBytes(CardRequest.nonceLength)
        power?.nonce = nonce
    }

    /// Random bytes; none without power.
    mutating func randomBytes(_ count: Int) -> [UInt8] { power?.random.bytes(count) ?? [] }

    /// A fresh private key; `nil` without power.
    mutating func randomKey() -> PrivateKey? {
        guard var random = power?.random else { return nil }
        defer { power?.random = random }
        return PrivateKey(using: &random)
    }

    /// Whether an event with this probability, in percent, happens now.
    mutating func happens(percent: Int) -> Bool { (power?.random.number(below: 100) ?? 0) < percent }

    /// Runs one CBOR request and returns the CBOR response.
    mutating func answer(toRequest bytes: [UInt8]) -> [UInt8] {
        var command = ""
        let map: CBORMap
        do throws(CardFault) {
            let request = try CardRequest(bytes)
            command = request.command
            map = try run(request)
        } catch { map = error.answer }
        return encoded(map, to: command)
    }

    private mutating func run(_ request: CardRequest) throws(CardFault) -> CBORMap {
        guard let handler = CommandTable.handler(named: request.command, on: state.product) else {
            throw .unknownCommand
        }
        do throws(CardFault) {
            let session = try authenticate(request, need: handler.authentication(on: state.product))
            var answer = try carryOut(request, handler, session: session)
            guard handler.nonceRule != .keeps else { return answer }
            renewNonce()
            answer["card_nonce"] = .bytes(nonce)
            return answer
        } catch {
            if state.version.losesNonceOnError, handler.nonceRule == .renews { renewNonce() }
            throw error
        }
    }
}
