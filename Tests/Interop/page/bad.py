"""What is wrong is named by the page: PSBTs, cards, the chain server."""

import http.server
import json
import os
import threading

from embit.psbt import PSBT
from embit.transaction import TransactionOutput

from bench import Reader
from browser import Browser, request

given = request()
folder = given["folder"]


def written(name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def lying():
    """The input's amount is another one than that of the output that it spends."""
    psbt = PSBT.parse(open(given["psbt"], "rb").read())
    spent = psbt.inputs[0].non_witness_utxo.vout[psbt.tx.vin[0].vout]
    psbt.inputs[0].witness_utxo = TransactionOutput(spent.value + 50_000, spent.script_pubkey)
    return psbt.serialize()


def altered():
    """The previous transaction is another one than the input names."""
    psbt = PSBT.parse(open(given["psbt"], "rb").read())
    psbt.inputs[0].non_witness_utxo.vout[0].value += 50_000
    return psbt.serialize()


def counterfeit():
    """A card with the certificates of another one."""
    card = json.load(open(given["other"]))
    card["certificates"] = json.load(open(given["card"]))["certificates"]
    return written("counterfeit.json", json.dumps(card).encode())


class Liar(http.server.BaseHTTPRequestHandler):
    """A chain server that answers with markup and with characters that turn text around."""

    def do_GET(self):
        body = "<img src=x onerror='canary()'>\u202egnorw\u202c".encode()
        self.send_response(400)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.command("Page.addScriptToEvaluateOnNewDocument",
                 source="window.canaries = 0; window.canary = () => { window.canaries += 1; }")
    page.open(given["url"])
    page.see("#readers [data-state=empty]")

    # PSBTs.
    for name, content in [("garbage.psbt", bytes((167 * number + 13) % 256 for number in range(500))), ("text.psbt", "ßömething else".encode()),
                          ("cut.psbt", open(given["psbt"], "rb").read()[:-20])]:
        page.go("sign")
        page.give('[data-field="psbt-file"]', written(name, content))
        page.see("[data-error]", "PSBT")
        page.gone('[data-action="sign"]')
        page.go("card")
    page.go("sign")
    page.give('[data-field="psbt-file"]', written("empty.psbt", b""))
    page.see("[data-error]", "empty")
    page.click('[data-action="review"]')
    page.see(".field-problem", "Paste it first.")
    page.look("sign-garbage")
    page.give('[data-field="psbt-file"]', written("altered.psbt", altered()))
    page.see(".notice.danger", "not the one whose output is spent")
    page.gone('[data-action="sign"]')
    page.go("card")
    page.go("sign")
    page.give('[data-field="psbt-file"]', written("lying.psbt", lying()))
    page.see(".notice.danger", "the witness UTXO claims")
    page.gone('[data-action="sign"]')
    page.look("sign-lie")

    # Cards.
    page.go("card")
    reader.lay(counterfeit())
    page.see("#readers [data-state=danger]", "NOT GENUINE: do not use this card.")
    page.look("card-counterfeit")
    for view in ["setup", "satscard"]:
        page.go(view)
        page.gone("#setup-start")
    reader.take()
    page.go("card")
    page.see("#readers [data-state=empty]")
    reader.lay(given["development"])
    page.see("#readers [data-state=danger]", "unknown root (the simulator's)")
    page.gone('a[data-next="setup"]')
    page.look("card-development")
    reader.take()

    # The chain server: nobody listens, then somebody lies.
    page.go("wallet/w", "w")
    page.click('[data-action="sync"]')
    page.see("[data-error]", f"port {given['server']}")
    page.look("wallet-no-server")
    with http.server.ThreadingHTTPServer(("127.0.0.1", given["server"]), Liar) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.click('[data-action="sync"]')
        page.see("[data-error]", "<img")
        text = page.text("[data-error]")
        assert "\u202e" not in text, ascii(text)
        server.shutdown()
    assert page.script("return window.canaries") == 0
    page.go("wallet/nothing")
    page.see("[data-error=no_such_wallet]")
    page.close()
