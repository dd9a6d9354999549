"""Fixtures of all acceptance tests."""

import os

import pytest

from paypulse_test.emulator import ALICE, Emulator

# The emulator speaks plain HTTP on loopback, and like Google it answers with scopes in an order of its own.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"


@pytest.fixture(scope="session")
def shared_emulator():
    with Emulator() as emulator:
        yield emulator


@pytest.fixture
def emulator(shared_emulator):
    """The emulator in its first state: two accounts, empty mailboxes, a consent page."""
    shared_emulator.reset()
    return shared_emulator


@pytest.fixture
def auto_emulator(emulator):
    """The emulator with Alice consenting by herself."""
    emulator.settings(auto_consent=ALICE)
    return emulator
