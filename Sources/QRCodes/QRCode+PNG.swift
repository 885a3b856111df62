import CPNG

extension QRCode {
    /// The code as a PNG image in 8-bit grey, black on white, with a margin of four modules.
    ///
    /// - Parameter modulePixels: pixels per side of a module, at least 1.
    /// - Throws: `.system` with libpng's words.
    package func png(modulePixels: Int = 8) throws(QRCodeError) -> [UInt8] {
        let scale = max(1, modulePixels)
        let side = (size + 2 * Self.quietZone) * scale
        var pixels: [UInt8] = []
        pixels.reserveCapacity(side * side)
        for row in 0..<side {
            for column in 0..<side {
                pixels.append(self[column / scale - Self.quietZone, row / scale - Self.quietZone] ? 0x00 : 0xFF)
            }
        }

        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(side)
        image.height = png_uint_32(side)
        image.format = png_uint_32(PNG_FORMAT_GRAY)
        defer { png_image_free(&image) }

        // Without a buffer, it reports the size needed.
        var count: png_alloc_size_t = 0
        guard png_image_write_to_memory(&image, nil, &count, 0, pixels, 0, nil) != 0 else {
            throw .system(words(image))
        }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard png_image_write_to_memory(&image, &bytes, &count, 0, pixels, 0, nil) != 0, count <= bytes.count else {
            throw .system(words(image))
        }
        return Array(bytes.prefix(Int(count)))
    }

    private func words(_ image: png_image) -> String {
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
