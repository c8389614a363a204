"""Eager programs run outside of any graph, unlike the other tests of sessions."""

import pytest


@pytest.fixture(autouse=True)
def graph():
    return None
