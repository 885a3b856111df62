"""Reads a QR code as a phone would, with ZXing, from one of three forms.

In:  png (hex of a file), svg (text), or rows (list of texts of 0 and 1, 1 is dark).
Out: codes (list of text, format, level), rows (the image's pixels, or the drawing's units, in the form of the input);
     for a PNG also depth and channels.
"""

import io
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

import png
import zxingcpp

SVG = "{http://www.w3.org/2000/svg}"


def rows_of_png(data):
    width, height, rows, info = png.Reader(bytes=data).read()
    assert info["greyscale"] and not info["alpha"], info
    rows = [bytes(row) for row in rows]
    assert len(rows) == height and all(len(row) == width for row in rows)
    assert {value for row in rows for value in row} == {0, 255}
    extra = {"depth": info["bitdepth"], "channels": info["planes"]}
    return ["".join("1" if value == 0 else "0" for value in row) for row in rows], extra


def rows_of_svg(text):
    root = ElementTree.fromstring(text)
    assert root.tag == SVG + "svg" and root.get("shape-rendering") == "crispEdges"
    left, top, width, height = map(int, root.get("viewBox").split())
    assert (left, top) == (0, 0) and width == height
    background, path = list(root)
    assert background.tag == SVG + "rect" and path.tag == SVG + "path"
    assert (background.get("width"), background.get("height")) == (str(width), str(height))
    assert background.get("fill") == "#ffffff" and path.get("fill") == "#000000"
    grid = [[0] * width for _ in range(height)]
    rest = re.sub(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", lambda match: fill(grid, *map(int, match.groups())), path.get("d"))
    assert rest == "", rest
    return ["".join(map(str, row)) for row in grid]


def fill(grid, x, y, width, height, back):
    assert width == back
    for row in range(y, y + height):
        for column in range(x, x + width):
            assert grid[row][column] == 0, "drawn twice"
            grid[row][column] = 1
    return ""


def decode(rows, scale):
    pixels = b"".join(
        bytes(0 if module == "1" else 255 for module in row for _ in range(scale)) * scale for row in rows
    )
    image = memoryview(pixels).cast("B", (len(rows) * scale, len(rows[0]) * scale))
    codes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False)
    return [{"text": code.text, "format": code.format.name, "level": code.ec_level} for code in codes]


request = json.load(sys.stdin)
answer = {}
if "png" in request:
    rows, answer = rows_of_png(bytes.fromhex(request["png"]))
    scale = 1
else:
    rows = rows_of_svg(request["svg"]) if "svg" in request else request["rows"]
    scale = 4
json.dump({**answer, "rows": rows, "codes": decode(rows, scale)}, sys.stdout)
