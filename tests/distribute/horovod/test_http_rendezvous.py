"""Address exchange through horovodrun's store."""

import threading

import pytest

import tfmini as tf
from tests.distribute.horovod.http_store import HttpStore
from tfmini._src.cluster.free_ports import free_ports
from tfmini._src.distribute.horovod import http_rendezvous
from tfmini._src.distribute.horovod.http_rendezvous import HttpRendezvous, rendezvous_of_horovodrun
from tfmini._src.distribute.horovod.ranks import own_rank_info

_VARIABLES = {
    "HOROVOD_GLOO_RENDEZVOUS_ADDR": "127.0.0.1",
    "HOROVOD_GLOO_RENDEZVOUS_PORT": "4567",
    "HOROVOD_RANK": "1",
    "HOROVOD_SIZE": "3",
}


@pytest.fixture
def variables(monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    for name, value in _VARIABLES.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def test_horovodrun_environment(variables):
    assert rendezvous_of_horovodrun() == HttpRendezvous("127.0.0.1", 4567, 1, 3)
    variables.setenv("HOROVOD_SIZE", "1")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="HOROVOD_RANK is 1, but HOROVOD_SIZE is 1"
    ):
        own_rank_info()
    variables.setenv("HOROVOD_RANK", "0")
    assert own_rank_info().size == 1
    variables.setenv("HOROVOD_GLOO_RENDEZVOUS_PORT", "no")
    with pytest.raises(tf.errors.InvalidArgumentError, match="is set, but HOROVOD_GLOO_.* is no"):
        own_rank_info()
    for port in ("0", "99999999"):
        variables.setenv("HOROVOD_GLOO_RENDEZVOUS_PORT", port)
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"_PORT is {port}, not a port"):
            own_rank_info()
    variables.delenv("HOROVOD_GLOO_RENDEZVOUS_ADDR")
    assert rendezvous_of_horovodrun() is None


def test_addresses_are_exchanged(monkeypatch):
    monkeypatch.setattr(http_rendezvous, "_calls", iter([7, 7, 7]))
    found = [None] * 3
    with HttpStore() as store:

        def meet(rank):
            found[rank] = HttpRendezvous("127.0.0.1", store.port, rank, 3).exchange_addresses()

        threads = [threading.Thread(target=meet, args=(rank,)) for rank in (2, 0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert set(store.values) == {f"/tfmini7/{rank}" for rank in range(3)}
    assert found[0] == found[1] == found[2]
    assert all(address.startswith("127.0.0.1:") for address in found[0]) and len(set(found[0])) == 3


def test_missing_rank_times_out(monkeypatch):
    monkeypatch.setattr(http_rendezvous, "_SECONDS", 0.05)
    with HttpStore() as store:
        with pytest.raises(tf.errors.DeadlineExceededError, match="Rank 1 did not reach"):
            HttpRendezvous("127.0.0.1", store.port, 0, 2).exchange_addresses()


def test_unresolvable_store_is_reported(monkeypatch):
    def socket(*_):
        raise OSError("Name or service not known")

    monkeypatch.setattr(http_rendezvous.socket, "socket", socket)
    text = "HOROVOD_GLOO_RENDEZVOUS_ADDR=no.such.host: Name or service not known"
    with pytest.raises(tf.errors.UnavailableError, match=text):
        HttpRendezvous("no.such.host", 4567, 0, 2).exchange_addresses()


def test_unresponsive_store_is_reported():
    port = free_ports(1)[0]
    with pytest.raises(tf.errors.UnavailableError, match=f"at 127.0.0.1:{port} does not answer"):
        HttpRendezvous("127.0.0.1", port, 0, 2).exchange_addresses()
    with HttpStore(status=500) as store:
        with pytest.raises(tf.errors.UnavailableError, match=r"GET /tfmini\d+/0 with status 500"):
            HttpRendezvous("127.0.0.1", store.port, 0, 2).exchange_addresses()
