"""What is only claimed is not called proven; what must be accepted is listed in full; a link that requires more is not paid."""

from browser import Browser, request

given = request()


def said(page):
    return page.text("[data-review]")


def review(page, name):
    """Opens a file in a view that shows nothing yet."""
    page.script("location.hash = '#/card'")
    page.go("sign")
    page.give('[data-field="psbt-file"]', given[name])


with Browser() as page:
    page.open(given["url"])
    page.see("[data-card]")

    # A wallet's descriptors: anyone can write them.
    page.go(f"sign/{given['stored']}")
    page.see("[data-review] [data-kind=change]", "Change to the wallet “thief”, according to its descriptors:")
    text = said(page)
    assert "Everything goes to the wallet “thief”, according to its descriptors." in text, text
    assert "proven:" not in text and "nobody" not in text, text
    page.see('.flow svg[aria-label*="Change to the wallet"]')
    page.look("sign-descriptors")

    # The card's keys, which it proved to the store.
    review(page, "proven")
    page.see("[data-review] [data-kind=change]", "Change, proven:")

    # A stranger's file, where nothing is known.
    review(page, "claimed")
    page.see("[data-review] [data-kind=claimed]", "Change, as the file claims:")
    page.see('.flow svg[aria-label*="Change, as the file claims"]')
    page.see("[data-review] [data-sent]", "change that is not proven")
    assert "Change, proven" not in said(page)
    page.look("sign-claimed")

    # Twenty outputs that are claimed to be change, and two payments: these come first, and nothing is shown twice.
    review(page, "many")
    page.see("[data-review] [data-kind=claimed]", "Change, as the file claims:")
    page.script('document.querySelectorAll("[data-review] details").forEach((part) => { part.open = true; })')
    rows = "[data-review] li.pays:not(.fee)"
    page.until("all outputs", lambda: len(page.all(rows)) == 22)
    texts = ["".join(text.split()) for text in page.script(
        "return [...document.querySelectorAll(arguments[0])].map((row) => row.textContent)", rows)]
    addresses = given["addresses"].split()
    assert len(addresses) == 22
    for address in addresses:
        assert sum(address in text for text in texts) == 1, (address, texts)
    assert addresses[21] in texts[0] and addresses[20] in texts[1], texts
    assert "Everything comes back" not in said(page), said(page)

    # Seven outputs with unknown scripts: a look folds some of them, but the question does not.
    review(page, "losses")
    page.see("[data-finding=output_unknown]", "Output 6:")
    page.click('[data-action="sign"]')
    page.see('dialog [data-accept="output_unknown"]')
    found = [element.text for element in page.all("dialog [data-finding=output_unknown]")]
    assert len(found) == 7, found
    for number, text in zip(reversed(range(7)), found):
        assert f"Output {number}:" in text and f"At stake: 0.0000{number + 1}000 " in text, text
    boxes = page.all("dialog .accept label")
    assert [box.text for box in boxes] == [
        "I accept this: 7 outputs with this warning: An output has an unknown script."], [box.text for box in boxes]
    # A yes without the box is none.
    page.click('dialog [data-action="yes"]')
    page.see("dialog [role=alert]", "Accept each warning")
    page.look("sign-losses")
    page.click('dialog [data-action="no"]')
    page.gone("dialog")

    # A link with a parameter that must be understood. Spec: BIP-21.
    page.go("pay/thief")
    address = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"
    page.type('[data-field="address"]', f"bitcoin:{address}?amount=0.5&req-somethingyoudontunderstand=50")
    page.click('[data-action="build"]')
    page.see(".payee-fields .field-problem", "do not pay it")
    fields = """return ["address", "amount"].map((name) => document.querySelector(`[data-field="${name}"]`).value)"""
    assert page.script(fields)[0].startswith("bitcoin:") and page.script(fields)[1] == "", page.script(fields)
    page.type('[data-field="address"]', f"bitcoin:{address}?amount=0.5&somethingelse=50")
    page.see('[data-field="amount"]').click()
    page.until("an address and an amount", lambda: page.script(fields) == [address, "0.5"])
    page.close()
