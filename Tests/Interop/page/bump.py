"""A payment that waits is replaced by one with a higher fee; a PSBT is dropped on the page, and one is pasted."""

import base64

from bench import Node
from browser import Browser, request

given = request()
node = Node(**given["node"])

DROP = """
const bytes = Uint8Array.from(atob(arguments[1]), (character) => character.charCodeAt(0));
const dataTransfer = new DataTransfer();
dataTransfer.items.add(new File([bytes], "tx.psbt"));
for (const type of ["dragover", "drop"]) {
  arguments[0].dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}
"""


def sign_and_send():
    """Signs and sends what is shown; returns its id."""
    page.click('[data-action="sign"]')
    page.see("dialog [data-kind]")
    page.agree()
    page.see('[data-facts="stored"] [data-state="complete"]')
    return page.send()


with Browser() as page:
    page.open(given["url"])
    page.see("[data-card]")

    # The same PSBT in three forms.
    psbt = base64.b64encode(open(given["psbt"], "rb").read()).decode()
    page.go("sign")
    page.script(DROP, page.see("[data-drop]"), psbt)
    page.see("[data-review]")
    shown = page.text(".review")
    for form in [psbt, base64.b64decode(psbt).hex()]:
        page.click('[data-action="back"]')
        page.insert('[data-field="psbt-text"]', form)
        page.click('[data-action="review"]')
        page.see("[data-review]")
        assert page.text(".review") == shown

    # A payment of everything, at a low fee.
    page.go("wallets")
    page.type('[data-field="wallet-name"]', "all")
    page.click('[data-action="add-wallet"]')
    page.click('[data-action="receive"]')
    first = page.attribute("[data-address]", "data-address")
    page.click('[data-action="another-address"]')
    page.until("another address", lambda: page.attribute("[data-address]", "data-address") != first)
    node.pay(page.attribute("[data-address]", "data-address"), 0.01)
    page.click('[data-action="sync"]')
    page.see('[data-unconfirmed="1000000"]')
    node.mine()
    page.click('[data-action="sync"]')
    page.see('[data-balance="1000000"]')
    page.click('[data-action="pay"]')
    payee = node.call("getnewaddress")
    page.type('[data-field="address"]', payee)
    page.choose('[data-field="unit"]', "all")
    page.rate("1.5")
    page.click('[data-action="build"]')
    page.see("[data-kind=payee]")
    low = sign_and_send()
    assert node.waits(low), low

    # It takes too long.
    page.click("details summary", "Raise the fee")
    page.rate("9", within="details")
    page.look("bump")
    page.click('[data-action="bump"]')
    page.see('[data-facts="stored"] [data-state="unsigned"]')
    high = sign_and_send()
    assert high != low and node.waits(high) and not node.waits(low), (low, high)
    node.mine()
    page.click('[data-action="check"]')
    page.see('[data-facts="stored"] [data-state="confirmed"]')
    page.go("sign")
    page.see(f'[data-transaction="{low}"][data-state="replaced"]')
    page.look("sign")
    page.close()
