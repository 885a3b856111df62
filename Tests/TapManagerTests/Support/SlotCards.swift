import FlowSupport
import TapSimulator
import TestSupport
import Testing

/// A SATSCARD as it may come: version, how far it is used, and for which network.
struct SlotCard: Sendable, CustomTestStringConvertible {
    let version: TapSimulator.AppletVersion
    /// How many slots are opened.
    let opened: Int
    /// Whether the next slot has no key yet.
    let isBlank: Bool
    let network: SimulatedNetwork
    /// A full card whose last slot stays the active one and shows its address.
    var showsOpenedAddress = false

    /// Every version, new, used, nearly full and full, with a sealed slot or without, on both networks.
    static let all: [SlotCard] = TapSimulator.AppletVersion.allCases.flatMap { version in
        [0, 1, 5, 9, 10].flatMap { opened in
            (opened == 10 ? [false] : [false, true]).flatMap { isBlank in
                [SimulatedNetwork.main, .test].map {
                    SlotCard(version: version, opened: opened, isBlank: isBlank, network: $0)
                }
            }
        } + [
            SlotCard(version: version, opened: 10, isBlank: false, network: .test, showsOpenedAddress: true)
        ]
    }

    static let withSealedSlot = all.filter { $0.hasSealedSlot }

    var hasSealedSlot: Bool { !isBlank && opened < 10 }

    /// Whether `check` tells a sealed slot from an opened one.
    var provesSeal: Bool { version != .v090 }

    var testDescription: String {
        "\(version.rawValue) \(network.rawValue), \(opened) opened\(isBlank ? ", blank" : "")"
            + (showsOpenedAddress ? ", shows the opened address" : "")
    }

    func bench(_ generator: inout SeededGenerator) throws -> FlowBench {
        let bench = try FlowBench.satscard(version, opened: opened, isBlank: isBlank, using: &generator) {
            $0.network = network
        }
        if showsOpenedAddress { bench.watch.disturbance = FullCardWithAddress(bench.simulated) }
        return bench
    }
}
