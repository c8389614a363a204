"""Connecting to neighbors, some of which exit or never start."""

import threading

import pytest

import tfmini as tf
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.distribute.horovod import exchange
from tfmini._src.distribute.horovod.exchange import Exchange
from tfmini._src.distribute.horovod.failures import HorovodInternalError
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.horovod.reductions import Reductions


def test_lost_rank_is_named_while_waiting_for_another(monkeypatch):
    """Rank 0 never starts, and nothing waits for it after rank 3 exits."""
    addresses = tuple(free_addresses({"rank": 4})["rank"])
    errors, watch = {}, Exchange._watch

    def note(comm, rank):
        watch(comm, rank)
        watched[comm.rank, rank].set()

    watched = {pair: threading.Event() for pair in [(1, 2), (2, 1), (2, 3), (3, 2)]}
    monkeypatch.setattr(Exchange, "_watch", note)

    def connect(rank):
        with pytest.raises(HorovodInternalError) as caught:
            Reductions(RankInfo(rank, addresses))
        errors[rank] = caught.value.message

    threads = [threading.Thread(target=connect, args=(rank,), daemon=True) for rank in (1, 2)]
    for thread in threads:
        thread.start()
    last = Exchange(RankInfo(3, addresses), lambda turn: None)
    assert watched[1, 2].wait(60) and watched[2, 3].wait(60)
    last.close()
    for thread in threads:
        thread.join(60)
    assert errors[2].startswith("Lost rank 3: ")
    assert errors[1].startswith(("Lost rank 3: ", "Lost rank 2: "))  # where 2 was faster


def test_missing_rank_is_named_and_port_released(monkeypatch):
    monkeypatch.setattr(exchange, "_START_SECONDS", 0.3)
    addresses = tuple(free_addresses({"rank": 2})["rank"])
    for _ in range(2):
        with pytest.raises(tf.errors.DeadlineExceededError) as caught:
            Exchange(RankInfo(0, addresses), lambda turn: None)
        assert caught.value.message == f"No answer from rank 1 ({addresses[1]}) within 0.3 seconds"


def test_launcher_names_lost_ranks(monkeypatch):
    monkeypatch.setattr(exchange, "_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(exchange, "lost_ranks", lambda: [1])
    addresses = tuple(free_addresses({"rank": 2})["rank"])
    with pytest.raises(
        HorovodInternalError, match="^Rank 1 disconnected before all ranks were connected$"
    ):
        Exchange(RankInfo(0, addresses), lambda turn: None)
