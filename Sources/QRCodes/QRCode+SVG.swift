extension QRCode {
    /// The code as an SVG image: a white square with a margin of four modules, and one path of black rows of modules.
    ///
    /// A module is one unit of the view box, and `modulePixels` wide unless something else sizes the image.
    package func svg(modulePixels: Int = 8) -> String {
        let pixels = sideModules * modulePixels
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            \(element(#"xmlns="http://www.w3.org/2000/svg" width="\#(pixels)" height="\#(pixels)""#))

            """
    }

    /// The code as a part of another SVG image, with its margin.
    /// - Parameters:
    ///   - x: its left edge, in the units of the image.
    ///   - y: its upper edge.
    ///   - side: its width and height, margin included.
    package func svgPart(x: Int, y: Int, side: Int) -> String {
        element(#"x="\#(x)" y="\#(y)" width="\#(side)" height="\#(side)""#)
    }

    /// How many modules the code is wide, with its margin.
    private var sideModules: Int { size + 2 * Self.quietZone }

    private func element(_ attributes: String) -> String {
        """
        <svg \(attributes) viewBox="0 0 \(sideModules) \(sideModules)" shape-rendering="crispEdges">
        <rect width="\(sideModules)" height="\(sideModules)" fill="#ffffff"/>
        <path fill="#000000" d="\(path)"/>
        </svg>
        """
    }

    /// One rectangle for each run of dark modules in a row.
    private var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[column, row] { column += 1 }
                if column > start {
                    let width = column - start
                    path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(width)v1h-\(width)z"
                }
                column += 1
            }
        }
        return path
    }
}
