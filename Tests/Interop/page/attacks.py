"""What other pages may try: nothing of it reaches the page or its service."""

import http.server
import socketserver
import threading

from selenium.webdriver.common.by import By

from browser import Browser, request

given = request()
address, _, token = given["url"].partition("#")
port = int(address.rstrip("/").rpartition(":")[2])

# Each attack is one line of the result: what came of it. ATTACKED is the page's origin.
ATTACK = """<!doctype html><meta charset="utf-8"><title>attack</title><body><script>
const target = "ATTACKED", results = {};
const tries = {
  async read() { return `read ${(await (await fetch(target + "/")).text()).length} bytes`; },
  async readWithCookie() { return `read ${(await (await fetch(target + "/", { credentials: "include" })).text()).length}`; },
  async post() {
    const answer = await fetch(target + "/session", { method: "POST", body: "", credentials: "include" });
    return `posted ${answer.status}`;
  },
  async guess() {
    const answer = await fetch(target + "/session", { method: "POST", body: "A".repeat(43) });
    return `posted ${answer.status}`;
  },
  async socket() {
    return new Promise((resolve) => {
      const line = new WebSocket(target.replace("http", "ws") + "/rpc");
      line.onopen = () => resolve("open");
      line.onerror = () => resolve("failed");
    });
  },
  async script() { return load("script", { src: target + "/app.js" }); },
  async module() { return load("script", { src: target + "/app.js", type: "module" }); },
  async style() { return load("link", { href: target + "/style.css", rel: "stylesheet" }); },
  async frame() { return load("iframe", { src: target + "/", id: "framed" }); },
  async popup() {
    const other = open(target + "/", "popup");
    await new Promise((resolve) => setTimeout(resolve, 300));
    try { return `read ${other.document.title}`; } catch { return "failed"; }
  },
};
function load(tag, attributes) {
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("failed");
    document.body.append(element);
  });
}
(async () => {
  for (const [name, attempt] of Object.entries(tries)) {
    try { results[name] = await attempt(); } catch (error) { results[name] = "failed"; }
  }
  window.results = results;
})();
</script><form id="form" method="post" action="ATTACKED/session" enctype="text/plain" target="framed">
<input name="TOKEN" value=""></form>"""


class Attacker(http.server.BaseHTTPRequestHandler):
    """Serves the attack, with the page's origin as it is asked for: /?http://127.0.0.1:PORT"""

    def do_GET(self):
        origin = self.path.partition("?")[2] or "about:blank"
        body = ATTACK.replace("ATTACKED", origin).replace("TOKEN", "A" * 43).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def attack(page, host, target):
    """Opens the attack in a tab of its own; nothing of it may work."""
    page.driver.switch_to.new_window("tab")
    page.open(f"http://{host}:{attacker.server_port}/?{target}")
    results = page.until("the attacks' end", lambda: page.script("return window.results"))
    # Chromium says “loaded” of a frame that shows its own page of errors, or our refusal: it is looked at below.
    frame = results.pop("frame")
    assert set(results.values()) == {"failed"}, (host, target, results)
    if frame == "loaded":
        page.driver.switch_to.frame("framed")
        assert not page.driver.find_elements(By.CSS_SELECTOR, "main, #nav"), (host, target)
        page.driver.switch_to.parent_frame()
        # A form needs no permission to be sent; it is refused.
        page.script("document.getElementById('form').submit()")
        page.driver.switch_to.frame("framed")
        shown = page.until("the form's answer", lambda: page.script("return document.body.innerText"))
        assert "window" not in shown, shown
        page.driver.switch_to.default_content()
    page.log()
    # Whatever the attack opened is closed, too.
    for handle in page.driver.window_handles:
        if handle != home:
            page.driver.switch_to.window(handle)
            page.driver.close()
    page.driver.switch_to.window(home)


def works(page):
    """The page still talks to its service."""
    page.go("doctor")
    page.see("#doctor-findings [data-check]")
    page.go("card")
    page.see("h1", "Reader and card")


rebinding = "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP *.evil.example 127.0.0.1"
with Server(("127.0.0.1", 0), Attacker) as attacker, Browser(rebinding, "--disable-popup-blocking") as page:
    threading.Thread(target=attacker.serve_forever, daemon=True).start()
    home = page.driver.current_window_handle

    # Before anybody has the page open, and while it is open: from another port, as localhost, by another name.
    targets = [("127.0.0.1", f"http://127.0.0.1:{port}"), ("localhost", f"http://127.0.0.1:{port}"),
               ("localhost", f"http://localhost:{port}"), ("evil.example", f"http://evil.example:{port}"),
               ("evil.example", f"http://127.0.0.1:{port}")]
    attack(page, *targets[0])
    page.open(given["url"])
    page.see("#no-reader", "No reader is attached.")
    page.look("no-reader")
    for host, target in targets:
        attack(page, host, target)
    works(page)

    # The page by another name, with its link: DNS rebinding.
    for name in ["evil.example", "localhost"]:
        page.driver.switch_to.new_window("tab")
        page.open(f"http://{name}:{port}/#{token}")
        assert not page.driver.find_elements(By.CSS_SELECTOR, "main, script"), name
        page.driver.close()
        page.driver.switch_to.window(home)

    # A stale link lets nobody in; whoever has the cookie may load the page again.
    page.driver.refresh()
    page.see("h1", "Reader and card")
    page.driver.switch_to.new_window("tab")
    page.command("Network.clearBrowserCookies")
    page.open(given["url"])
    page.see("[data-over]", "This page's link has been used.")
    page.look("link-used", keyboard=False)
    page.driver.close()
    page.driver.switch_to.window(home)
    # The one that is open stays so.
    works(page)
    page.quit()
    attacker.shutdown()
