"""How long it takes from the start of `tapkit ui` to the first paint of its page, in a browser that runs already.

Usage: .build/interop-python/bin/python Tests/Interop/page/first_paint.py COMMAND. Prints the median of five starts.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from browser import Browser

PAINT = """
const done = arguments[0];
new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) done(paint.startTime);
}).observe({ type: "paint", buffered: true });
"""


def start(command, browser, folder):
    """Milliseconds until the command says the page's address, and from the browser's first request to the paint."""
    environment = dict(os.environ, TAPKIT_DATA_DIR=folder, XDG_CONFIG_HOME=folder, TAPKIT_READER=f"sim:{folder}/none")
    begun = time.time()
    ui = subprocess.Popen([command, "ui", "--no-browser", "--json"], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE)
    url = json.loads(ui.stdout.readline())["url"]
    said = (time.time() - begun) * 1000
    browser.open(url)
    painted = browser.driver.execute_async_script(PAINT)
    browser.open("about:blank")
    ui.terminate()
    ui.wait()
    return said, painted


def main():
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        starts = [start(sys.argv[1], browser, folder) for _ in range(5)]
    said, painted = (statistics.median(column) for column in zip(*starts))
    print(f"address after {said:.0f} ms, first paint {painted:.0f} ms later, {said + painted:.0f} ms in all")


main()
