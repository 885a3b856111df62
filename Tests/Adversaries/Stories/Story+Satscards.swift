import Bitcoin
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport

extension Story {
    /// What is done with a SATSCARD of which two slots were opened; the third is sealed.
    static let satscards: [Story] = {
        let sealed: @Sendable (inout SeededGenerator) async throws -> FlowBench = { generator in
            try .satscard(opened: 2, using: &generator)
        }
        let unused: @Sendable (inout SeededGenerator) async throws -> FlowBench = { generator in
            try .satscard(opened: 2, isBlank: true, using: &generator)
        }
        return [
            Story(name: "slots", product: .satscard, card: sealed) { text(try await $0.reports()) },
            Story(name: "slots with the CVC", product: .satscard, card: sealed) { bench in
                text(try await bench.reports(cvc: FlowBench.cvc))
            },
            Story(name: "address", product: .satscard, card: sealed) { text([try await $0.report()]) },
            Story(name: "address with the CVC", product: .satscard, card: sealed) { bench in
                text([try await bench.report(SlotNumber(index: 1), cvc: FlowBench.cvc)])
            },
            Story(name: "verify", product: .satscard, card: sealed) { bench in
                try await bench.command { try await verified($1) }
            },
            Story(name: "setup", product: .satscard, card: unused) { bench in
                let result = try await bench.setUpNextSlot(chainCode: chainCode)
                return text([result.report]) + " \(result.hasOurChainCode)"
            },
            Story(name: "unseal", product: .satscard, card: sealed) { bench in
                let opened = try await bench.unseal().opened
                return "\(opened.slot) \(opened.address) \(opened.walletImportFormat)"
            },
            Story(name: "slots --show-keys", product: .satscard, card: sealed) { bench in
                text(try await bench.reportsWithKeys())
            },
            Story(name: "unseal once more", product: .satscard, card: unused) { bench in
                let opened = try await bench.unseal().opened
                return "\(opened.slot) \(opened.address) \(opened.walletImportFormat)"
            },
            Story(name: "message sign", product: .satscard, card: sealed) { bench in
                try await bench.run { driver in
                    let flow = MessageFlow(driver: driver, cvc: try CVC(FlowBench.cvc), network: .test)
                    return try await flow.sign(message, by: .slot(nil), format: .bip137).address.description
                }
            },
            Story(name: "sweep", product: .satscard, card: sealed) { bench in
                let transaction = try await bench.sweep(try bench.sweepPlan())
                return "\(transaction.outputs.map(\.scriptPubKey.bytes)), signed \(transaction.inputs.count)"
            },
            Story(name: "link", product: .satscard, card: sealed) { bench in
                let card = TapCard(reader: bench.reader, trace: bench.trace)
                let link = try await card.perform { try $0.tapLink() }
                await card.disconnect()
                return link.proven?.publicKey.description ?? ""
            },
        ]
    }()

    /// Slots with what is said to be proven of them.
    static func text(_ reports: [SlotReport]) -> String {
        reports.map { report in
            let address = report.isAddressProven ? report.address?.description ?? "" : "unproven"
            return "\(report.slot) \(report.state) \(address) \(report.isSealProven)"
        }.joined(separator: "\n")
    }
}
