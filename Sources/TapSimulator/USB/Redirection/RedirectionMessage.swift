/// A packet from the host's end, understood and checked.
struct RedirectionMessage: Equatable {
    /// What the host asks for.
    enum Content: Equatable {
        /// What the host's end can do, as far as it matters here.
        case hello(RedirectionCapabilities)
        case reset
        case setConfiguration(UInt8)
        case getConfiguration
        case setAlternate(interface: UInt8, alternate: UInt8)
        case getAlternate(interface: UInt8)
        case startInterrupts(endpoint: UInt8)
        case stopInterrupts(endpoint: UInt8)
        /// The packet with the same number is not wanted any more.
        case cancel
        case control(USBRequest, [UInt8])
        /// Bytes for the device, or an offer to take up to `length` from it.
        case bulk(endpoint: UInt8, stream: UInt32, length: Int, [UInt8])
        case interrupt(endpoint: UInt8, length: UInt16, [UInt8])
        /// The host's end does not want this device.
        case refusal
        /// The host's end has seen the disconnection.
        case disconnectAcknowledgement
        /// A filter's rules, which concern the host's end only.
        case filterRules
    }

    /// The packet's number; the answer has the same.
    let number: UInt64
    let content: Content
}

/// Why a host's end is not worth another word.
struct RedirectionViolation: Error, Equatable {
    /// What it did, in words.
    let reason: String
}
