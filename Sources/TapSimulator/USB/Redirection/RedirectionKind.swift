/// The packets of usbredir that a device's end sends or understands.
///
/// Spec: USB redirection protocol 0.7, "Packet type list".
enum RedirectionKind: UInt32 {
    case hello = 0
    case deviceConnect = 1
    case deviceDisconnect = 2
    case reset = 3
    case interfaceInfo = 4
    case endpointInfo = 5
    case setConfiguration = 6
    case getConfiguration = 7
    case configurationStatus = 8
    case setAlternate = 9
    case getAlternate = 10
    case alternateStatus = 11
    case startInterrupts = 15
    case stopInterrupts = 16
    case interruptsStatus = 17
    case cancel = 21
    case filterReject = 22
    case filterRules = 23
    case disconnectAcknowledgement = 24
    case control = 100
    case bulk = 101
    case interrupt = 103
}

/// How a transfer ended.
///
/// Spec: USB redirection protocol 0.7, "Status code list".
enum RedirectionStatus: UInt8 {
    case success = 0
    case cancelled = 1
    /// There is no such endpoint, or not for such a transfer.
    case invalid = 2
    case stall = 4
    /// The device had more to say than the host had room for.
    case babble = 6
}
