"""Fixtures that make this process one of two ranks."""

import pytest

from tests.distribute.horovod.beside_ten import as_rank


@pytest.fixture(params=[0, 1])
def beside(request, monkeypatch):
    """This process as each of two ranks."""
    with as_rank(request.param, monkeypatch) as peer:
        yield peer


@pytest.fixture
def first(monkeypatch):
    """This process as the first of two ranks."""
    with as_rank(0, monkeypatch) as peer:
        yield peer
