"""Two of three cosigners' cards sign, laid on one reader one after the other; the first is pulled on the way."""

from bench import Node, Reader
from browser import Browser, request

given = request()
node = Node(**given["node"])
first, second = given["cards"]
with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.open(given["url"])
    page.see("#readers [data-state=empty]")
    page.go("sign")
    page.look("sign-none")
    page.give('[data-field="psbt-file"]', given["psbt"])
    page.see("[data-signatures]", "missing")
    page.look("cosign-review")
    reader.lay(first["card"], "--sign-ms", "300")
    page.see("#presence", "TAPSIGNER")
    page.click('[data-action="sign"]')
    page.see("dialog [data-kind]")
    page.agree(first["ident"])

    # Some of its inputs are signed; then it is pulled, and laid back.
    page.see(f'[data-signer="{first["ident"]}"]:not([data-done="0"])')
    reader.pull()
    page.see(".task", f"Put {first['ident']} back")
    page.see(".signer-state", "Put it back on the reader")
    page.look("cosign-pulled")
    reader.lay_back()

    # The second one's turn.
    page.see(".next-signers", "Next:")
    page.look("cosign-next")
    reader.take()
    page.see("#presence", "No card")
    reader.lay(second["card"], "--sign-ms", "300")
    # Nothing proves its change before it has told its keys.
    page.see("dialog [data-kind]")
    page.agree(second["ident"])
    page.see(f'[data-signer="{second["ident"]}"]')
    page.see('[data-state="complete"]')
    for card in (first, second):
        page.see(".outcome", card["ident"])
    page.look("cosign-complete")

    # The whole transaction, as another program sends it.
    page.click('[data-action="save-transaction"]')
    transaction = open(page.downloaded(".txn")).read()
    txid = node.call("sendrawtransaction", transaction)
    node.mine()
    page.see(f'[data-review="{txid}"]')
    page.close()
