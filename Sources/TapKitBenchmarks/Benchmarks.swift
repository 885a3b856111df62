import Bitcoin
import Glibc
import TapManager
import TapSimulator

/// Measures the host's own work, without the card's time. Run it in a release build:
///
///     swift run -c release tapkit-benchmarks make 1000 p2wpkh /tmp/1000.psbt
///     swift run -c release tapkit-benchmarks sign /tmp/1000.psbt
///     swift run -c release tapkit-benchmarks trips 100
///     swift run -c release tapkit-benchmarks store 100000 /var/tmp/store
///     swift run -c release tapkit-benchmarks coins 100000
///     swift run -c release tapkit-benchmarks policies 10000
///
/// `trips` prints how many commands each verb sends to the card, then how long signing COUNT inputs takes.
///
/// `coins` measures coin selection among that many coins.
///
/// `policies` measures reading miniscript, deriving that many addresses, and finalizing a tenth of that many inputs.
///
/// `store` measures the local store, with that many transactions in a new folder, which is kept.
///
/// `make` and `sign` are separate so that the peak memory of `sign` is that of signing alone.
@main struct Benchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("make", 4):
            guard let count = Int(arguments[1]), let kind = BenchmarkWallet.Kind(rawValue: arguments[2]) else {
                usage()
            }
            let psbt = try BenchmarkWallet(master: BenchmarkWallet.master).psbt(kind: kind, inputCount: count)
            try AtomicFile.write(psbt.serialized(), to: arguments[3], mode: 0o600)
        case ("sign", 2):
            try HostWork(file: arguments[1]).run()
        case ("trips", 2):
            guard let count = Int(arguments[1]) else { usage() }
            for version in [TapSimulator.AppletVersion.newest, .v090] {
                try await RoundTripFigures(version: version).run()
            }
            try await RoundTrips(inputCount: count).run()
        case ("store", 3):
            guard let count = Int(arguments[1]) else { usage() }
            try StoreFigures(folder: arguments[2], count: count).run()
        case ("coins", 2):
            guard let count = Int(arguments[1]) else { usage() }
            try CoinSelectionFigures(count: count).run()
        case ("policies", 2):
            guard let count = Int(arguments[1]), count >= 10 else { usage() }
            try PolicyFigures(count: count).run()
        default: usage()
        }
    }

    private static func usage() -> Never {
        print(
            """
            usage: tapkit-benchmarks make COUNT p2wpkh|p2pkh FILE
                   tapkit-benchmarks sign FILE
                   tapkit-benchmarks trips COUNT
                   tapkit-benchmarks store COUNT NEW-FOLDER
                   tapkit-benchmarks coins COUNT
                   tapkit-benchmarks policies COUNT
            """)
        exit(64)
    }
}
