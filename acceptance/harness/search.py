"""Looks for secrets in files: as bytes, in base64 at each of the three alignments, base64url, URL-encoded, hex."""

import base64
import os
import urllib.parse


def forms(secret: str) -> set[bytes]:
    """Every way in which the secret could stand somewhere."""
    raw = secret.encode()
    found = {raw, urllib.parse.quote(secret, safe="").encode(), urllib.parse.quote_plus(secret).encode(),
             raw.hex().encode(), raw.replace(b"/", b"\\/")}
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + raw)
        # The characters that the neighbours on either side have a say in are left out.
        inner = encoded[(0, 2, 3)[shift]:len(encoded) - (0, 4, 4)[(shift + len(raw)) % 3]]
        found |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return {form for form in found if len(form) >= 7}


def find(secrets, texts: dict[str, bytes]) -> list[str]:
    """Which secret stands in which text."""
    needles = {form: secret for secret in secrets for form in forms(secret)}
    return [f"{needles[form][:12]}… in {name}" for name, text in texts.items() for form in needles if form in text]


def files_under(folder: str) -> dict[str, bytes]:
    """The content of every file in the folder, but the keys and what belongs to a device."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(".key") or "-device" in path or os.path.islink(path):
                continue
            try:
                with open(path, "rb") as file:
                    found[path] = file.read()
            except FileNotFoundError:
                continue  # A database's side file that has just gone.
    return found
