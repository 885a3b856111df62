"""Text from others is shown as text: in names, labels, notes and PSBTs."""

import os

from embit.psbt import PSBT

from bench import Node
from browser import Browser, request

given = request()
node = Node(**given["node"])
MARKUP = "<img src=x onerror=canary()><script>canary()</script>"
TURNED = "A\u202eB\u2066C\u200fD"
SHOWN = "A\ufffdB\ufffdC\ufffdD"


def harmless(page):
    """No script of others ran, nothing of theirs became an element, and no character turns the text around."""
    assert page.script("return window.canaries") == 0
    assert page.script("return document.querySelectorAll('img, main script, dialog script, iframe').length") == 0
    text = page.script("return document.body.innerText")
    assert not any(sign in text for sign in "\u202e\u2066\u200f\u0007\u001b"), ascii(text)
    page.no_complaints()


def with_unknown_fields():
    psbt = PSBT.parse(open(given["psbt"], "rb").read())
    psbt.unknown[b"\xfc\x04<img src=x onerror=canary()>"] = (MARKUP + TURNED).encode()
    psbt.inputs[0].unknown[b"\xfc\x04" + MARKUP.encode()] = TURNED.encode()
    psbt.outputs[0].unknown[b"\xf0" + MARKUP.encode()] = MARKUP.encode()
    path = os.path.join(given["folder"], "<img src=x onerror=canary()>.psbt")
    with open(path, "wb") as file:
        file.write(psbt.serialize())
    return path


with Browser() as page:
    page.command("Page.addScriptToEvaluateOnNewDocument",
                 source="window.canaries = 0; window.canary = () => { window.canaries += 1; }")
    page.open(given["url"])
    page.see("[data-card]")

    # A wallet's name, in the address and in every list.
    name = f"{MARKUP[:40]}{TURNED}"
    page.go("wallets")
    page.type('[data-field="wallet-name"]', name)
    page.click('[data-action="add-wallet"]')
    page.until("a wallet or a refusal", lambda: page.all("[data-error]") or page.all('.view[data-view="wallet"] h1'))
    if page.all("[data-error]"):
        name = "<b>w</b>&amp;"
        page.type('[data-field="wallet-name"]', name)
        page.click('[data-action="add-wallet"]')
    page.see('.view[data-view="wallet"] h1', "<")
    harmless(page)
    page.click('[data-action="receive"]')
    node.pay(page.attribute("[data-address]", "data-address"), 0.01)
    node.mine()
    page.click('[data-action="sync"]')
    page.see('[data-balance="1000000"]')

    # A label.
    page.click('[data-list="history"] [data-action="edit-label"]')
    page.type('[data-field="label"]', MARKUP + TURNED)
    page.click('[data-action="save-label"]')
    page.see('[data-list="history"] .label-text', MARKUP + SHOWN)
    harmless(page)

    # A note, and an address that is none.
    page.click('[data-action="pay"]')
    page.type('[data-field="note"]', MARKUP + TURNED)
    page.type('[data-field="address"]', MARKUP)
    page.type('[data-field="amount"]', "0.001")
    page.rate("2")
    page.click('[data-action="build"]')
    page.see("[data-error]")
    harmless(page)
    page.look("pay-refused")
    page.type('[data-field="address"]', node.call("getnewaddress"))
    page.click('[data-action="build"]')
    page.see('[data-facts="stored"]', MARKUP + SHOWN)
    harmless(page)
    page.go("sign")
    page.see('[data-list="transactions"]', MARKUP[:20])
    harmless(page)

    # A PSBT with fields that nobody knows.
    page.give('[data-field="psbt-file"]', with_unknown_fields())
    page.see("[data-review]")
    harmless(page)
    page.look("sign-hostile")

    # A wallet with a policy, registered with the card.
    page.go("wallets")
    page.type('[data-field="wallet-name"]', MARKUP)
    page.click("#add-wallet summary")
    page.type('[data-field="wallet-text"]', MARKUP)
    page.click('[data-action="add-described"]')
    page.see("#add-wallet [data-error=bad_descriptor]")
    harmless(page)
    page.insert('[data-field="wallet-text"]', given["descriptor"])
    page.click('[data-action="add-described"]')
    page.see('.view[data-view="wallet"] h1', MARKUP)
    page.click('[data-action="register"]')
    page.see("dialog h2", MARKUP)
    harmless(page)
    page.look("register-hostile")
    page.agree()
    page.see("#registrations .notice.ok")
    page.click('#registrations .notice [data-action="save-registration"]')
    page.downloaded(".registration")
    harmless(page)
    page.go("wallets")
    page.see('[data-list="wallets"]', MARKUP)
    harmless(page)

    # Addresses of views that do not exist.
    for view in ["wallet/%3Cimg%20src=x%20onerror=canary()%3E", "wallet/%E2%80%AE", "sign/%3Cscript%3E", "nothing/%zz"]:
        page.script("location.hash = arguments[0]", f"#/{view}")
        page.see("main .view h1")
        page.until("an answer", lambda: page.all("[data-error], #readers"))
        harmless(page)
    page.close()
