"""A real browser for the stories of the page: Debian's chromium without a screen, driven by chromedriver.

It waits for what the page shows, never for time alone. `look` holds every view to the rules of rules.py, and makes pictures
of it when TAPKIT_SCREENS names a folder.
"""

import json
import os
import shutil
import sys
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import rules

PATIENCE = 60
WIDTHS = [360, 800, 1400]


class Browser:
    """One chromium with a profile of its own, which goes with it."""

    def __init__(self, *arguments):
        self.folder = tempfile.mkdtemp(prefix="tapkit-browser-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-pings",
            "--disable-default-apps", "--disable-extensions", "--hide-scrollbars", "--lang=en-US",
            # The pages of the address bar's lists, which nobody sees, cost half of the browser's start.
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
            f"--user-data-dir={self.folder}/profile", *arguments,
        ]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": self.downloads})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # The story answers dialogs of the browser itself.
        options.set_capability("unhandledPromptBehavior", "ignore")
        variables = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        variables.update(HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder, LANG="C.UTF-8")
        try:
            self.driver = webdriver.Chrome(options, Service("/usr/bin/chromedriver", env=variables))
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self.driver.set_window_size(1000, 900)
        self.complaints = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind:
                self.tell()
        finally:
            self.quit()

    def quit(self, secrets=()):
        """Ends the browser, and checks that it wrote none of these texts to its profile."""
        if self.driver is None:
            return
        try:
            self.driver.quit()
            for folder, _, names in os.walk(self.folder):
                for name in names:
                    path = os.path.join(folder, name)
                    if os.path.isfile(path):
                        content = open(path, "rb").read()
                        assert not any(secret.encode() in content for secret in secrets), f"{name} has a secret"
        finally:
            self.driver = None
            shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self):
        """What there was to see when something went wrong."""
        try:
            print("--- page", self.driver.current_url, file=sys.stderr)
            print(self.script("return document.body.innerText"), file=sys.stderr)
            for entry in self.complaints + self.log():
                print("--- console", entry["level"], entry["message"], file=sys.stderr)
            if picture := os.environ.get("TAPKIT_SCREENS"):
                self.driver.save_screenshot(os.path.join(picture, "failed.png"))
        except WebDriverException as error:
            print("--- no page:", error, file=sys.stderr)

    # What the page does

    def open(self, url):
        self.driver.get(url)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def command(self, name, **parameters):
        """One of Chromium's own commands (DevTools protocol)."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def log(self):
        """What stands on the console; what stood there before is not told again."""
        return self.driver.get_log("browser")

    def no_complaints(self):
        """The console has no error: no script failed, and the page asked for nothing that its policy forbids."""
        self.complaints += [entry for entry in self.log() if entry["level"] in ("SEVERE", "WARNING")]
        assert not self.complaints, self.complaints

    def until(self, what, condition, patience=PATIENCE):
        """Waits until a condition gives something true, and returns that. What is drawn anew meanwhile is asked again."""
        deadline = time.monotonic() + patience
        while True:
            try:
                if value := condition():
                    return value
                problem = ""
            except WebDriverException as error:
                problem = error.msg
            if time.monotonic() > deadline:
                raise AssertionError(f"Waited in vain for {what}. {problem}")
            # A question costs the browser some 20 ms of work; asked more often, they slow down what is waited for.
            time.sleep(0.1)

    def all(self, selector):
        return [element for element in self.driver.find_elements(By.CSS_SELECTOR, selector) if element.is_displayed()]

    def see(self, selector, text=None, patience=PATIENCE):
        """Waits until an element is shown, with a text in it if one is given."""
        def shown():
            for element in self.all(selector):
                if text is None or text in element.text:
                    return element
        return self.until(f"{selector}" + (f" with “{text}”" if text else ""), shown, patience)

    def gone(self, selector):
        self.until(f"the end of {selector}", lambda: not self.all(selector))

    def text(self, selector):
        return self.until(f"text of {selector}", lambda: self.see(selector).text)

    def attribute(self, selector, name):
        return self.until(f"{name} of {selector}", lambda: self.see(selector).get_attribute(name))

    # What a person does

    def go(self, view, text=None):
        """Follows the navigation, or goes where it does not lead."""
        if links := self.driver.find_elements(By.CSS_SELECTOR, f'#nav a[href="#/{view}"]'):
            self.until(f"the link to {view}", lambda: links[0].click() or True)
        else:
            self.script("location.hash = arguments[0]", f"#/{view}")
        self.see(f'main .view[data-view="{view.split("/")[0]}"] h1', text)

    def click(self, selector, text=None):
        """Clicks, once nothing forbids it: what a button has begun comes to its end first."""
        def clicked():
            element = self.see(selector, text)
            if element.get_dom_attribute("aria-disabled") == "true" or not element.is_enabled():
                return False
            element.click()
            return True
        self.until(f"a click on {selector}", clicked)

    def type(self, selector, text):
        """Types into a field, in place of what is there."""
        field = self.see(selector)
        field.clear()
        field.send_keys(text)

    def insert(self, selector, text):
        """Puts a long text into a field at once, in place of what is there: nobody types it. There is one input event, and
        none of a key or the clipboard."""
        field = self.see(selector)
        field.clear()
        field.click()
        self.command("Input.insertText", text=text)

    def choose(self, selector, value):
        """Chooses in a list."""
        self.until(f"{value} in {selector}", lambda: self.see(f'{selector} option[value="{value}"]').click() or True)

    def rate(self, rate, within=""):
        """Chooses a fee rate, in sat/vB."""
        self.choose(f'{within} [data-field="fee-kind"]', "rate")
        self.type(f'{within} [data-field="fee-rate"]', rate)

    def agree(self, *texts):
        """Says yes to a question that has these texts."""
        for text in texts:
            self.see("dialog", text)
        self.click('dialog [data-action="yes"]')

    def send(self):
        """Sends the transaction that is shown; answers its id."""
        self.click('[data-action="send"]')
        self.agree("Send it")
        self.see('[data-facts="stored"] [data-state="sent"]')
        return self.driver.current_url.rpartition("/")[2]

    def give(self, selector, path):
        """Chooses a file."""
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(path)

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def downloaded(self, ending):
        """Waits for a file whose name ends so, and returns its path."""
        def found():
            names = [name for name in os.listdir(self.downloads) if name.endswith(ending)]
            return names and os.path.join(self.downloads, names[0])
        return self.until(f"a download *{ending}", found)

    def close(self, secrets=()):
        """Closes the last page as a person does, and says yes if the browser asks whether to leave. Nothing of the browser
        may have kept a secret."""
        self.no_complaints()
        self.driver.get("about:blank")
        try:
            self.driver.switch_to.alert.accept()
        except NoAlertPresentException:
            pass
        self.quit(secrets)

    # What it looks like

    def emulate(self, width, scheme):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def settle(self):
        """Waits until the page has its new size, for which it draws its pictures anew."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def look(self, name, keyboard=True):
        """Holds what is shown to the rules, in light and dark, narrow and wide."""
        broken = []
        folder = os.environ.get("TAPKIT_SCREENS")
        for scheme in ["light", "dark"]:
            for width in WIDTHS if folder else WIDTHS[:1]:
                self.emulate(width, scheme)
                self.settle()
                if folder:
                    self.picture(os.path.join(folder, f"{name}-{width}-{scheme}.png"), width)
                broken += [f"{scheme}, {width} pixels: {text}" for text in rules.shown(self)]
        self.command("Emulation.clearDeviceMetricsOverride")
        self.command("Emulation.setEmulatedMedia", features=[])
        self.settle()
        broken += rules.named(self) + rules.judged(self)
        if keyboard:
            broken += rules.reached(self)
        assert not broken, f"{name}:\n" + "\n".join(dict.fromkeys(broken))

    def picture(self, path, width):
        height = self.script("return Math.max(document.documentElement.scrollHeight, 600)")
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=min(height, 6000), deviceScaleFactor=1,
                     mobile=False)
        self.settle()
        self.driver.save_screenshot(path)


def request():
    """What the story was given."""
    return json.load(sys.stdin)


ENTER = Keys.ENTER
