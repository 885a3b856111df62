"""The picture of .ci/picture: runs tapkit on a pseudo-terminal, answers it, and draws what stands there at the end.

picture-terminal.py [--check] TAPKIT PSBT SVG

The card, its key and the transaction are the same every time. Whatever asks for a CVC gets it; whatever else asks is
answered with yes.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from html import escape

COLUMNS = 80
# More than any review has lines: nothing scrolls.
LINES = 200
# A whole run takes less than one; more is a question that nothing here answers.
PATIENCE = 120
# So long nothing new must come before a line without an end is taken for a question.
QUIET = 0.3

ROOT_KEY = "034d67661b37e8d8111cfffb84b6f4676e3ed4f61ae627e9066fa4d6e0426ff30f"
FACTORY_CVC = "123456"
CVC = "314159"

FONT = 14
WIDTH, HEIGHT = 8.43, 19
MARGIN = 16
BACKGROUND, FOREGROUND = "#1b1f24", "#d7dde3"
COLOURS = ["#6e7781", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#d7dde3"]


class Screen:
    """Characters with their styles, as a terminal keeps them; only as much of one as a line-oriented program needs."""

    SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78]|\x1b\][^\x07]*\x07")

    def __init__(self):
        self.lines = [[]]
        self.row = self.column = 0
        self.style = (None, False)

    def feed(self, text):
        position = 0
        while position < len(text):
            match = self.SEQUENCE.match(text, position)
            if match:
                if match.group(2):
                    self.control(match.group(1), match.group(2))
                position = match.end()
                continue
            self.put(text[position])
            position += 1

    def put(self, character):
        if character == "\n":
            self.row += 1
        elif character == "\r":
            self.column = 0
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column == COLUMNS:
                self.row, self.column = self.row + 1, 0
            line = self.line()
            line.extend([(" ", (None, False))] * (self.column + 1 - len(line)))
            line[self.column] = (character, self.style)
            self.column += 1

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append([])
        return self.lines[self.row]

    def control(self, parameters, final):
        numbers = [int(number) for number in re.findall(r"\d+", parameters)]
        count = numbers[0] if numbers else 0
        if final == "m":
            for number in numbers or [0]:
                self.paint(number)
        elif final == "A":
            self.row = max(0, self.row - (count or 1))
        elif final == "B":
            self.row += count or 1
        elif final == "C":
            self.column = min(COLUMNS, self.column + (count or 1))
        elif final == "D":
            self.column = max(0, self.column - (count or 1))
        elif final == "G":
            self.column = max(0, (count or 1) - 1)
        elif final == "K":
            line = self.line()
            del line[0 if count == 2 else self.column :]
        elif final == "J":
            del self.line()[self.column :]
            del self.lines[self.row + 1 :]

    def paint(self, number):
        colour, is_bold = self.style
        if number == 0:
            colour, is_bold = None, False
        elif number in (1, 22):
            is_bold = number == 1
        elif 30 <= number <= 37 or 90 <= number <= 97:
            colour = COLOURS[number % 10]
        elif number == 2:
            colour = COLOURS[0]
        elif number == 39:
            colour = None
        self.style = (colour, is_bold)

    def open_line(self):
        """The line in which the cursor stands, as text."""
        return "".join(character for character, _ in self.line())


def answer(question):
    """What is typed where the cursor stands behind this text; None: nothing yet."""
    if not question.rstrip().endswith((":", "?", "]", ">")):
        return None
    return CVC if "CVC" in question and "[y/N]" not in question else "y"


def on_terminal(command, environment, folder):
    """What is on the screen when the command is done."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        os.chdir(folder)
        os.execve(command[0], command, environment)
    screen, pending = Screen(), b""
    started, answered = time.monotonic(), None
    while True:
        if time.monotonic() - started > PATIENCE:
            os.kill(process, 9)
            sys.exit(f"picture: nothing answers this: {screen.open_line()}")
        if not select.select([terminal], [], [], QUIET)[0]:
            place = (screen.row, screen.open_line())
            text = answer(screen.open_line())
            if text and place != answered:
                answered = place
                os.write(terminal, text.encode() + b"\n")
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        pending += piece
        try:
            text, pending = pending.decode(), b""
        except UnicodeDecodeError:
            continue
        # The beginning of a sequence waits for its end.
        cut = re.search(r"\x1b(\[[?0-9;]*)?$", text)
        if cut:
            text, pending = text[: cut.start()], text[cut.start() :].encode()
        screen.feed(text)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status:
        sys.exit(f"picture: tapkit ended with {status}:\n" + "\n".join("".join(c for c, _ in l) for l in screen.lines))
    return screen


def drawing(lines):
    """The SVG of lines of styled characters."""
    while lines and not any(character != " " for character, _ in lines[-1]):
        lines.pop()
    width, height = round(COLUMNS * WIDTH + 2 * MARGIN), len(lines) * HEIGHT + 2 * MARGIN
    text = "\n".join("".join(character for character, _ in line).rstrip() for line in lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>tapkit sign, on a simulated card</title>",
        f"<desc>{escape(text)}</desc>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="{FONT}" fill="{FOREGROUND}" xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        spans, column = [], 0
        while column < len(line):
            style, start = line[column][1], column
            while column < len(line) and line[column][1] == style:
                column += 1
            run = "".join(character for character, _ in line[start:column])
            if not run.strip():
                continue
            x = f"{MARGIN + (start + len(run) - len(run.lstrip())) * WIDTH:.2f}"
            colour = f' fill="{style[0]}"' if style[0] else ""
            weight = ' font-weight="bold"' if style[1] else ""
            spans.append(f'<tspan x="{x}"{colour}{weight}>{escape(run.strip())}</tspan>')
        if spans:
            y = MARGIN + number * HEIGHT + FONT
            parts.append(f'<text y="{y}">{"".join(spans)}</text>')
    return "\n".join(parts + ["</g>", "</svg>", ""])


def picture(tapkit, psbt):
    """Sets up the card, signs, and draws the second."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {
            "HOME": name, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "TAPKIT_DATA_DIR": f"{name}/data", "XDG_CONFIG_HOME": f"{name}/config",
            "TAPKIT_ROOT_KEY": ROOT_KEY, "TAPKIT_READER": "sim:card.json",
        }
        for file, cvc in (("factory", FACTORY_CVC), ("cvc", CVC)):
            descriptor = os.open(folder / file, os.O_WRONLY | os.O_CREAT, 0o600)
            os.write(descriptor, f"{cvc}\n".encode())
            os.close(descriptor)
        for words in (
            f"sim new card.json --product tapsigner --network main --cvc {FACTORY_CVC} --unlucky 0 --seed {'42' * 32}",
            f"setup --chain-code {'11' * 32} --backup card.aes --cvc-file factory --new-cvc-file cvc",
        ):
            run = subprocess.run([tapkit, *words.split()], env=environment, cwd=folder, capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"picture: tapkit {words}: {run.stderr}")
        shutil.copy(psbt, folder / "payment.psbt")
        words = ["sign", "payment.psbt"]
        screen = on_terminal([tapkit, *words], environment, folder)
        typed = [(character, (None, True)) for character in f"$ tapkit {' '.join(words)}"]
        return drawing([typed] + screen.lines)


def main():
    arguments = sys.argv[1:]
    is_check = arguments[0] == "--check"
    tapkit, psbt, target = arguments[is_check:]
    made, file = picture(tapkit, psbt), pathlib.Path(target)
    if not is_check:
        file.write_text(made, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != made:
        sys.exit(f"{target} is not what tapkit shows. Make it again: .ci/picture\n{made}")


main()
