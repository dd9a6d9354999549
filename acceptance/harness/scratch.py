"""One folder for everything that a run leaves on disk, and the secrets that must not be found in it."""

import atexit
import itertools
import os
import shutil
import tempfile

_root = tempfile.mkdtemp(prefix="paypulse-acceptance-")
_numbers = itertools.count(1)
_owner = os.getpid()

# Everything secret that a test made up or was given: passwords, tokens, session tokens, keys.
secrets: set[str] = set()


def root() -> str:
    """The run's folder; removed when it ends."""
    return _root


def folder(name: str) -> str:
    """The path of a folder that is there for one purpose; made."""
    path = os.path.join(_root, f"{number():04d}-{name}")
    os.mkdir(path, 0o700)
    return path


def number() -> int:
    """A number that no one else in this run has."""
    return next(_numbers)


def remember(secret: str | None) -> str | None:
    """Notes a secret that must never be seen in any file; gives it back."""
    if secret:
        secrets.add(secret)
    return secret


@atexit.register
def _remove() -> None:
    if os.getpid() == _owner:
        shutil.rmtree(_root, ignore_errors=True)
