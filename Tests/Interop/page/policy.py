"""A wallet with a policy, two of three at once or one of them later: added, registered with a card, paid, paid from by two
cards, altered in the store, and brought back from the file."""

import sqlite3

from bench import Node, Reader
from browser import Browser, request

given = request()
node = Node(**given["node"])
first, second = given["cards"]


def alter(old, new):
    """Replaces a text in the stored descriptor, whose checksum is left out then, as somebody would who has the store."""
    store = sqlite3.connect(given["store"])
    with store:
        text, = store.execute("SELECT descriptor FROM wallet_descriptor").fetchone()
        assert old in text, text
        store.execute("UPDATE wallet_descriptor SET descriptor = ?", [text.split("#")[0].replace(old, new)])
    store.close()


def compact(selector):
    """A text without the gaps that make it easy to compare."""
    return "".join(page.text(selector).split())


with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.open(given["url"])
    page.see("#readers [data-state=empty]")

    # Added from its descriptor, after a slip.
    page.go("wallets")
    page.click("#add-wallet summary")
    page.insert('[data-field="wallet-text"]', given["descriptor"])
    page.click('[data-action="add-described"]')
    page.see("#add-wallet .field-problem", "Give the wallet a name first.")
    page.type('[data-field="wallet-name"]', "family")
    page.type('[data-field="wallet-text"]', "wsh(multi(2,a,b))")
    page.click('[data-action="add-described"]')
    page.see("#add-wallet [data-error=bad_descriptor]")
    page.look("wallets-add")
    page.insert('[data-field="wallet-text"]', given["descriptor"])
    page.click('[data-action="add-described"]')
    page.see("h1", "family")
    page.see('#policy [data-path="1"]', f"2 of {', '.join(given['fingerprints'])}")
    page.see('#policy [data-path="2"]', "10 blocks (about 2 hours) after the coin was confirmed")

    # The whole wallet is shown before it is registered.
    reader.lay(first["card"], "--sign-ms", "200")
    page.see("#presence", "TAPSIGNER")
    page.click('[data-action="register"]')
    page.see("dialog", f"Register the wallet “family” with SIMULATED TAPSIGNER {first['ident']}?")
    shown = compact("dialog")
    for text in [given["template"], given["address"], *given["fingerprints"], *given["keys"]]:
        assert "".join(text.split()) in shown, (text, shown)
    page.see('dialog [data-path="2"]', "after the coin was confirmed")
    page.look("register-question")
    page.click('dialog [data-action="no"]')
    page.see('#registrations [data-error="declined"]')
    assert not page.all('[data-action="save-registration"]')

    # The card is pulled, and laid back.
    page.click('[data-action="register"]')
    page.see("dialog", "family")
    reader.pull()
    page.agree("family")
    page.see(".task", f"Put {first['ident']} back")
    page.look("register-pulled")
    reader.lay_back()
    page.see("#registrations .notice.ok", f"Registered with {first['ident']}.")
    page.see('[data-list="registrations"] li', first["ident"])
    page.look("wallet-registered")
    page.click('#registrations .notice [data-action="save-registration"]')
    file = page.downloaded(".registration")
    assert open(file).read().startswith("cmRlc2MB"), open(file).read()

    # The card verifies an address, although it knows none of the others' keys.
    page.click('[data-action="receive"]')
    page.click('[data-action="prove-address"]')
    page.see('[data-verified="true"]', "as your card registered it")
    address = page.attribute("[data-address]", "data-address")
    assert address == given["address"], address
    node.pay(address, 0.01)
    node.mine()
    height = node.call("getblockcount")
    page.click('[data-action="sync"]')
    page.see('[data-balance="1000000"]')
    page.click("#coins summary")
    page.see('[data-list="coins"]', "path 2 opens in 9 blocks")
    page.see('#policy [data-path="2"]', f"open to 0 coins; opens to the next coin from block {height + 10}, about 20")
    page.look("wallet-policy")

    # Paid from: by two at once, and the other path is closed as yet.
    page.click('[data-action="pay"]')
    page.type('[data-field="address"]', node.call("getnewaddress"))
    page.type('[data-field="amount"]', "0.003")
    page.rate("3.5")
    page.click('[data-action="build"]')
    page.see('[data-review] [data-path="1"][data-taken]', "this transaction takes it")
    page.see('[data-review] [data-path="2"]:not([data-taken])', "closed to this transaction, open to others from block "
             f"{height + 10}")
    page.look("policy-review")
    page.click('[data-action="sign"]')
    page.see("dialog [data-kind=change]", "Change, proven:")
    page.see('dialog [data-path="1"][data-taken]', "this transaction takes it")
    page.look("policy-question")
    page.agree(first["ident"])
    page.see(".next-signers", "Next:")
    reader.take()
    page.see("#presence", "No card")
    reader.lay(second["card"], "--sign-ms", "200")
    page.see("dialog [data-kind=payee]")
    page.agree(second["ident"])
    page.see('[data-facts="stored"] [data-state="complete"]')
    txid = page.send()
    assert node.waits(txid), txid

    # Later, one may spend alone.
    node.mine(10)
    page.go("wallets")
    page.click('[data-wallet="family"] [data-action="open"]')
    page.click('[data-action="sync"]')
    page.see(f'[data-txid="{txid}"][data-confirmed="true"]')
    page.click("#coins summary")
    page.see('[data-list="coins"]', "path 2 is open")
    page.see('#policy [data-path="2"]', "open to 1 coin")
    assert "undefined" not in page.script("return document.body.innerText")

    # Somebody shortens that time.
    alter("older(10)", "older(1)")
    page.go("wallets")
    page.see('[data-wallet="family"]', "Altered: do not use it")
    page.click('[data-wallet="family"] [data-action="open"]')
    page.see(".notice.danger", f"It is not what {first['ident']} registered.")
    for action in ["pay", "receive", "register"]:
        assert not page.all(f'[data-action="{action}"]'), action
    page.look("wallet-altered")

    # The way out: without it, and with what was registered.
    page.click('[data-action="remove"]')
    page.agree("Remove the wallet “family”?")
    page.see('.view[data-view="wallets"]', "None yet.")
    page.click("#add-wallet summary")
    page.give('[data-field="wallet-file"]', file)
    # It is looked at before it is added.
    page.until("the file's text", lambda: page.script("return arguments[0].value", page.see('[data-field="wallet-text"]')))
    page.click('[data-action="add-described"]')
    page.see("h1", "family")
    page.see('[data-list="registrations"] li', first["ident"])
    page.see('#policy [data-path="2"]', "10 blocks")
    page.click('[data-action="sync"]')
    page.see(f'[data-txid="{txid}"]')

    # More paths than are listed are told in the words of the command.
    page.go("wallets")
    page.click("#add-wallet summary")
    page.type('[data-field="wallet-name"]', "choices")
    page.insert('[data-field="wallet-text"]', given["choices"])
    page.click('[data-action="add-described"]')
    page.see("h1", "choices")
    for number, words in enumerate(given["words"], 1):
        page.see(f'#policy [data-path="{number}"]', words)
    page.look("wallet-choices")
    page.close()
