"""Without a window to ask in, the page asks for secrets itself, and keeps none of them."""

from bench import Reader
from browser import ENTER, Browser, request

given = request()
cvc, new, key = given["cvc"], "27182818284", given["backup_key"]
secrets = [cvc, new, key]


def nothing_kept(page):
    """Neither the document nor what the browser keeps for it has a secret; scripts do not see the cookie."""
    kept = page.script("return [document.documentElement.outerHTML, document.cookie, localStorage.length, "
                       "sessionStorage.length, location.href, [...document.querySelectorAll('input')].map((one) => one.value)]")
    assert not any(secret in str(kept) for secret in secrets), "the document has a secret"
    assert kept[1:4] == ["", 0, 0], kept[1:4]
    assert page.script("return indexedDB.databases()") == []
    cookies = page.driver.get_cookies()
    assert [(one["httpOnly"], one["sameSite"]) for one in cookies] == [(True, "Strict")], cookies


def field(name):
    element = page.see(f'dialog [data-field="{name}"]')
    assert element.get_attribute("type") == "password" and element.get_attribute("autocomplete") == "off"
    return f'dialog [data-field="{name}"]'


with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.open(given["url"])
    reader.lay(given["card"])
    page.see(f'[data-state=ready][data-card="{given["ident"]}"]')

    # A PSBT, dropped as a file: first a wrong CVC, then no digits, then the right one.
    page.go("sign")
    page.give('[data-field="psbt-file"]', given["psbt"])
    page.click('[data-action="sign"]')
    page.see("dialog[data-dialog=confirm]", "Sign")
    page.click('dialog [data-action="yes"]')
    page.see("dialog[data-dialog=cvc]", "not the safest place")
    page.look("cvc")
    page.type(field("cvc"), "000000")
    page.click('dialog [data-action="yes"]')
    page.see("dialog .notice.danger", "wrong")
    page.look("cvc-wrong")
    page.type(field("cvc"), "12a")
    page.press(ENTER)
    page.see("dialog .field-problem", "6 to 32 digits")
    page.type(field("cvc"), cvc)
    page.press(ENTER)
    page.see('[data-state="complete"]')
    nothing_kept(page)

    # A cancelled CVC ends the task, and the card hears nothing.
    page.go("setup")
    page.click("#cvc-start")
    page.see("dialog[data-dialog=confirm]", "already set up")
    page.click('dialog [data-action="yes"]')
    page.see("dialog[data-dialog=cvc]")
    page.click('dialog [data-action="no"]')
    page.see('[data-error="cancelled"]')

    # A new CVC, which has to be typed twice.
    page.click("#cvc-start")
    page.click('dialog[data-dialog=confirm] [data-action="yes"]')
    page.type(field("cvc"), cvc)
    page.click('dialog[data-dialog=cvc] [data-action="yes"]')
    page.see("dialog[data-dialog=new-cvc]")
    page.look("new-cvc")
    page.type(field("new-cvc"), new)
    page.type(field("new-cvc-again"), new + "1")
    page.press(ENTER)
    page.see("dialog .field-problem", "do not match")
    page.type(field("new-cvc-again"), new)
    page.press(ENTER)
    page.see("#setup-result", "CVC")
    nothing_kept(page)

    # The backup is checked, with its key and the new CVC.
    page.give("#backup-file", given["backup"])
    page.click("#verify-backup")
    page.see("dialog[data-dialog=backup-key]")
    page.look("backup-key")
    page.type(field("backup-key"), key)
    page.press(ENTER)
    page.type(field("cvc"), new)
    page.press(ENTER)
    page.see("#backup-checked", given["ident"])
    nothing_kept(page)
    page.close(secrets)
