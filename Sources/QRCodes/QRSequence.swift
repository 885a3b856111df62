import Bitcoin
import ByteCodec

/// The QR codes for some data, all the same size: one, or several shown in turn.
package struct QRSequence: Sendable {
    /// The largest version used when several are shown: larger codes are hard for cameras to read.
    package static let largestVersion = 20
    /// The smallest version worth splitting data for.
    package static let smallestVersion = 4

    /// How many codes are enough.
    package let count: Int
    /// The version of every code.
    package let version: Int

    private enum Parts {
        case texts([String])
        /// Endless codes: mixtures, which help a scanner that missed some.
        case fountain(UniformResource)
    }

    private let parts: Parts

    /// - Parameter limit: the largest version that fits.
    /// - Throws: `.tooManyCodes` when the data would take too many codes of this size.
    package init(_ content: QRContent, _ format: QRFormat, limit: Int) throws(QRCodeError) {
        let limit = min(limit, Self.largestVersion)
        if let text = content.plainText, let code = try? QRCode(text, level: .low),
            QRCode.version(ofSize: code.size) <= limit
        {
            (count, version, parts) = (1, QRCode.version(ofSize: code.size), .texts([text]))
            return
        }
        let room = QRCode.alphanumericCapacity(version: limit)
        switch format {
        case .bbqr:
            guard let texts = BBQr.parts(of: content.bytes, type: content.bbqrType, maximumLength: room) else {
                throw .tooManyCodes(bytes: content.bytes.count)
            }
            let longest = texts.map(\.utf8.count).max() ?? 0
            (count, version, parts) = (texts.count, Self.version(for: longest), .texts(texts))
        case .ur:
            let resource = UniformResource(
                content.bytes, kind: content.kind == .psbt ? .psbt : .bytes, maximumLength: room,
                sha256: { SHA256.hash($0) })
            let text = resource.text
            if text.utf8.count <= room {
                (count, version, parts) = (1, Self.version(for: text.utf8.count), .texts([text]))
            } else {
                guard resource.count <= BBQr.maximumPartCount else {
                    throw .tooManyCodes(bytes: content.bytes.count)
                }
                (count, version, parts) = (resource.count, limit, .fountain(resource))
            }
        }
    }

    /// The text of a code; after `count` they repeat, or are new mixtures.
    /// - Parameter index: counted from 0.
    package func text(_ index: Int) -> String {
        switch parts {
        case .texts(let texts): texts.isEmpty ? "" : texts[index % texts.count]
        case .fountain(let resource): resource.part(UInt32(truncatingIfNeeded: index) &+ 1)
        }
    }

    /// A code; after `count` they repeat, or are new mixtures.
    package func code(_ index: Int) throws(QRCodeError) -> QRCode {
        try QRCode(text(index), level: .low, version: version)
    }

    /// The caption of a code.
    package func caption(_ index: Int) -> String {
        switch parts {
        case .texts: "BBQr \(index % count + 1) of \(count)"
        case .fountain: "UR \(index + 1), any \(count) or a few more"
        }
    }

    /// The smallest version that holds this many alphanumeric characters.
    private static func version(for characters: Int) -> Int {
        (1...largestVersion).first { QRCode.alphanumericCapacity(version: $0) >= characters } ?? largestVersion
    }
}

extension QRContent {
    fileprivate var bbqrType: BBQr.FileType {
        switch kind {
        case .psbt: .psbt
        case .transaction: .transaction
        case .json: .json
        case .text: .text
        }
    }
}
