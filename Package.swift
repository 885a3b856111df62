// swift-tools-version: 6.1
import PackageDescription

/// The pages of the handbook that are manual pages too: they are in the command, which writes the manual.
let handbook = [
    "Install", "Tapsigner", "Satscard", "Signing", "Wallets", "Servers", "Exports", "Core", "Backups", "Readers",
    "Store", "Page", "Scripts", "Service", "Proofs", "Security", "Simulator",
]

/// What the browser is given: one page, without a build step.
let pageFiles = [
    "index.html", "style.css", "money.css", "app.js", "rpc.js", "state.js", "dom.js", "format.js", "parts.js",
    "words.js", "task.js", "dialogs.js", "cards.js", "card-status.js", "view-card.js", "view-satscard.js",
    "view-setup.js", "view-doctor.js", "flow.js", "plot.js", "qr.js", "review.js",
    "fee-fields.js", "policy.js", "sign-run.js", "stored-list.js", "view-sign.js", "view-pay.js",
    "view-wallets.js", "view-wallet.js", "wallet-history.js", "wallet-receive.js", "wallet-registrations.js",
    "text-source.js",
]

/// One Swift package: libraries for programmers, one command for people.
/// Which target may import which is fixed in `Tests/ArchitectureTests`.
let package = Package(
    name: "tapkit",
    products: [
        .library(name: "ExplainedErrors", targets: ["ExplainedErrors"]),
        .library(name: "ByteCodec", targets: ["ByteCodec"]),
        .library(name: "Bitcoin", targets: ["Bitcoin"]),
        .library(name: "SmartCard", targets: ["SmartCard"]),
        .library(name: "CardReaders", targets: ["CardReaders"]),
        .library(name: "TapProtocol", targets: ["TapProtocol"]),
        .library(name: "TapSimulator", targets: ["TapSimulator"]),
        .library(name: "ChainData", targets: ["ChainData"]),
        .library(name: "TapManager", targets: ["TapManager"]),
        .library(name: "ReaderDoctor", targets: ["ReaderDoctor"]),
        .executable(name: "tapkit", targets: ["tapkit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        // The C library, for what Swift cannot call.
        .systemLibrary(name: "CProcess"),

        // Debian's libraries.
        .systemLibrary(
            name: "CPCSC", pkgConfig: "libpcsclite", providers: [.apt(["libpcsclite-dev"])]),
        .systemLibrary(name: "CNFC", pkgConfig: "libnfc", providers: [.apt(["libnfc-dev"])]),
        .systemLibrary(
            name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),

        // Libraries, lowest first.
        .target(name: "ExplainedErrors"),
        .target(name: "ByteCodec"),
        .target(name: "Bitcoin", dependencies: ["ExplainedErrors", "ByteCodec", "CSecp256k1", "CNettle"]),
        .target(name: "Threads"),
        .target(name: "LocalSockets"),
        .target(name: "ChildPrograms"),
        .target(name: "SmartCard", dependencies: ["ExplainedErrors", "Threads"]),
        .target(name: "CardReaders", dependencies: ["ExplainedErrors", "SmartCard", "Threads", "CPCSC", "CNFC"]),
        .target(name: "TapProtocol", dependencies: ["ExplainedErrors", "SmartCard", "ByteCodec", "Bitcoin"]),
        .target(
            name: "TapSimulator",
            dependencies: ["ExplainedErrors", "SmartCard", "Threads", "LocalSockets", "ByteCodec", "Bitcoin"]),
        .target(name: "ChainData", dependencies: ["ExplainedErrors", "Threads", "ByteCodec", "Bitcoin", "CCurl"]),
        .target(
            name: "TapManager",
            dependencies: [
                "ExplainedErrors", "CProcess", "ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "ChainData",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(name: "ReaderDoctor", dependencies: ["ExplainedErrors", "SmartCard", "Threads", "CardReaders"]),

        // What front ends are made of, whatever they show: text on lines, and a terminal. Neither knows of cards.
        .target(name: "TextLayout"),
        .target(name: "Terminal", dependencies: ["ExplainedErrors", "Threads", "Bitcoin", "TextLayout"]),

        // What a person has set for every run, for whichever front end of tapkit's.
        .target(
            name: "Settings",
            dependencies: [
                "ExplainedErrors", "ByteCodec", "Bitcoin", "SmartCard", "CardReaders", "TapProtocol", "TapSimulator",
                "ChainData", "TapManager", "Terminal",
            ]),

        // The front ends. What each of them would say in the same words stands below them, and no more than that.
        .target(name: "FrontEndText", dependencies: ["ExplainedErrors", "Bitcoin", "TapManager", "TextLayout"]),
        .target(
            name: "AnswerDocuments",
            dependencies: [
                "ExplainedErrors", "ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "ChainData", "TapManager",
                "ReaderDoctor", "TextLayout",
            ]),
        .target(
            name: "TapKitService",
            dependencies: [
                "ExplainedErrors", "Threads", "LocalSockets", "ByteCodec", "Bitcoin", "SmartCard", "TapProtocol",
                "TapManager", "TextLayout", "AnswerDocuments",
                .product(name: "FlyingFox", package: "FlyingFox"),
            ],
            resources: pageFiles.map { Resource.embedInCode("Page/\($0)") }),
        .target(name: "Pinentry", dependencies: ["ChildPrograms", "Bitcoin", "TextLayout"]),
        .target(name: "ManualPages"),
        .target(name: "QRCodes", dependencies: ["ExplainedErrors", "ByteCodec", "Bitcoin", "CQREncode", "CPNG"]),
        .target(name: "QRScreens", dependencies: ["Terminal", "QRCodes"]),
        .target(
            name: "TapKitHWI",
            dependencies: [
                "ExplainedErrors", "ByteCodec", "Bitcoin", "TapProtocol", "TapManager", "TextLayout", "FrontEndText",
            ]),
        .target(
            name: "TapKitCLI",
            dependencies: [
                "ExplainedErrors", "Threads", "LocalSockets", "ChildPrograms", "CProcess", "ByteCodec", "Bitcoin",
                "SmartCard",
                "CardReaders", "TapProtocol", "TapSimulator", "ChainData", "TapManager", "ReaderDoctor", "TextLayout",
                "Terminal", "Settings", "FrontEndText", "AnswerDocuments", "ManualPages", "Pinentry", "QRCodes",
                "QRScreens",
                "TapKitHWI", "TapKitService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.embedInCode("../../udev/70-tapkit.rules")]
                + handbook.map { Resource.embedInCode("Handbook.docc/\($0).md") }),
        .executableTarget(name: "tapkit", dependencies: ["TapKitCLI"]),

        // Benchmarks: `swift run -c release tapkit-benchmarks`.
        .executableTarget(
            name: "tapkit-benchmarks",
            dependencies: ["ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "TapSimulator", "TapManager"],
            path: "Sources/TapKitBenchmarks"),

        // Tests mirror the sources.
        .target(name: "CTestMachine", path: "Tests/TestMachine"),
        .target(name: "CByteSearch", path: "Tests/ByteSearch"),
        .target(
            name: "TestSupport",
            dependencies: ["Bitcoin", "ByteCodec", "SmartCard", "Threads", "QRCodes", "CPCSC", "CTestMachine"],
            path: "Tests/TestSupport"),
        .target(
            name: "LyingCards", dependencies: ["TapSimulator", "Bitcoin", "ByteCodec"], path: "Tests/LyingCards"),
        .target(
            name: "FlowSupport",
            dependencies: [
                "TapManager", "TapProtocol", "TapSimulator", "ChainData", "Bitcoin", "ByteCodec", "SmartCard",
                "TestSupport",
            ],
            path: "Tests/FlowSupport"),
        .testTarget(name: "ByteCodecTests", dependencies: ["ByteCodec", "Bitcoin", "TestSupport"]),
        .testTarget(name: "BitcoinTests", dependencies: ["Bitcoin", "ByteCodec", "TestSupport"]),
        .testTarget(name: "SmartCardTests", dependencies: ["SmartCard"]),
        .testTarget(
            name: "CardReadersTests",
            dependencies: ["CardReaders", "TapSimulator", "SmartCard", "ExplainedErrors", "CPCSC", "TestSupport"]),
        .testTarget(
            name: "TapProtocolTests",
            dependencies: [
                "TapProtocol", "TapSimulator", "LyingCards", "Bitcoin", "ByteCodec", "SmartCard", "TestSupport",
            ]),
        .testTarget(
            name: "TapSimulatorTests",
            dependencies: [
                "TapSimulator", "LyingCards", "Bitcoin", "ByteCodec", "SmartCard", "Threads", "LocalSockets",
                "TestSupport",
            ]),
        .testTarget(name: "ChainDataTests", dependencies: ["ChainData", "Bitcoin", "ByteCodec", "TestSupport"]),
        .testTarget(
            name: "TapManagerTests",
            dependencies: [
                "TapManager", "TapProtocol", "TapSimulator", "ChainData", "Bitcoin", "ByteCodec", "SmartCard",
                "ExplainedErrors", "LyingCards", "TestSupport", "FlowSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Those who stand beside a flow, or in the way of one: all flows run past each.
        .testTarget(
            name: "AdversaryTests",
            dependencies: [
                "TapManager", "TapProtocol", "TapSimulator", "ChainData", "Bitcoin", "ByteCodec", "LyingCards",
                "TestSupport",
                "FlowSupport",
            ],
            path: "Tests/Adversaries", exclude: ["Habits"]),
        .testTarget(
            name: "HabitTests",
            dependencies: [
                "TapManager", "TapProtocol", "TapSimulator", "Bitcoin", "ByteCodec", "SmartCard",
                "TestSupport", "FlowSupport",
            ],
            path: "Tests/Adversaries/Habits"),
        .testTarget(
            name: "ReaderDoctorTests",
            dependencies: [
                "ExplainedErrors", "ReaderDoctor", "AnswerDocuments", "TapKitCLI", "CardReaders", "SmartCard",
                "TestSupport",
            ]),
        .testTarget(name: "TextLayoutTests", dependencies: ["TextLayout"]),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal", "TestSupport"]),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Settings", "ExplainedErrors", "CardReaders", "TapSimulator", "SmartCard", "TestSupport",
            ]),
        .testTarget(name: "FrontEndTextTests", dependencies: ["FrontEndText", "TapManager", "Bitcoin"]),
        .testTarget(
            name: "AnswerDocumentsTests",
            dependencies: ["AnswerDocuments", "TapManager", "Bitcoin", "SmartCard", "TestSupport", "FlowSupport"]),
        .testTarget(name: "ManualPagesTests", dependencies: ["ManualPages", "TestSupport"]),
        .testTarget(name: "PinentryTests", dependencies: ["Pinentry", "TestSupport"]),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes", "Bitcoin", "ByteCodec", "TestSupport"]),
        .testTarget(name: "QRScreensTests", dependencies: ["QRScreens", "QRCodes", "Terminal", "TestSupport"]),
        .testTarget(
            name: "TapKitHWITests",
            dependencies: [
                "TapKitHWI", "FrontEndText", "TapManager", "TapProtocol", "TapSimulator", "Bitcoin", "ExplainedErrors",
                "TestSupport", "FlowSupport",
            ]),
        .testTarget(
            name: "TapKitServiceTests",
            dependencies: [
                "TapKitService", "LocalSockets", "Threads", "TapManager", "TapProtocol", "TapSimulator", "ChainData",
                "Bitcoin", "ByteCodec", "SmartCard", "ExplainedErrors", "TestSupport", "FlowSupport",
            ]),
        .testTarget(
            name: "TapKitCLITests",
            dependencies: [
                "TapKitCLI", "TapKitHWI", "TextLayout", "Terminal", "Settings", "FrontEndText", "AnswerDocuments",
                "ManualPages", "Pinentry", "QRCodes", "TapManager", "TapProtocol", "TapSimulator", "ChainData",
                "Bitcoin", "ByteCodec", "SmartCard", "CardReaders", "ExplainedErrors", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "tapkit", "TapManager", "TapSimulator", "Bitcoin", "ByteCodec", "SmartCard", "TestSupport",
                "CByteSearch",
            ]),
        // What a program outside of the package can do.
        .testTarget(
            name: "TutorialTests",
            dependencies: [
                "TapManager", "CardReaders", "TapProtocol", "TapSimulator", "Bitcoin", "SmartCard", "TestSupport",
            ], packageAccess: false),
        .testTarget(
            name: "FrontEndTests", dependencies: ["TapManager", "CardReaders", "TapSimulator"], packageAccess: false),
        .testTarget(name: "ArchitectureTests", dependencies: ["tapkit", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// What hashes, derives, verifies and parses takes two to three times as long in an ordinary debug build, and the tests do
// little else: so it is optimized there, too. `TAPKIT_UNOPTIMIZED=1` leaves it as the debugger likes it. SwiftPM refuses
// a dependency with such flags, so there are none where it checks dependencies out.
let optimized = ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"]
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
if !isDependency, Context.environment["TAPKIT_UNOPTIMIZED"] == nil {
    for target in package.targets
    where ["ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "TapSimulator"].contains(target.name) {
        target.swiftSettings = [.unsafeFlags(optimized, .when(configuration: .debug))]
    }
}

// The package's command is linked by a linker that has relocations read-only; the one that Swift takes on Debian 13 does not.
if let linker = Context.environment["TAPKIT_LINKER"] {
    for target in package.targets where target.name == "tapkit" {
        target.linkerSettings = [.unsafeFlags(["-use-ld=\(linker)"])]
    }
}

// The fuzz targets are there only when asked for, as `.ci/fuzz` does. With `TAPKIT_FUZZ=search` the libraries are optimized,
// and tell libFuzzer where they have been: that wants a build folder of its own. With `TAPKIT_FUZZ=replay` they are as ever,
// and libFuzzer, which then cannot choose, changes any input of the corpus.
if let fuzzing = Context.environment["TAPKIT_FUZZ"] {
    for target in package.targets where fuzzing == "search" && target.type == .regular && target.path == nil {
        target.swiftSettings = [.unsafeFlags(optimized + ["-sanitize=fuzzer"])]
    }
    package.targets += [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "tapkit-fuzz",
            dependencies: [
                "ByteCodec", "Bitcoin", "SmartCard", "TapProtocol", "TapSimulator", "ChainData", "TapManager",
                "Pinentry", "TapKitService", "CFuzzer",
            ],
            path: "Sources/TapKitFuzz",
            swiftSettings: [.unsafeFlags(optimized)] + (fuzzing == "search" ? [] : [.define("CHANGES_ANY_INPUT")]),
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ]
}
