"""Rounds of an elastic job: its launcher (`cluster/elastic_launcher.py`) assigns ranks."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import DeadlineExceededError, UnavailableError
from tfmini._src.cluster.elastic_launcher import DRIVER, WAIT_SECONDS, WORKER
from tfmini._src.distribute.horovod.http_rendezvous import REQUEST_SECONDS, send_request


def is_elastic() -> bool:
    """Whether ranks of this job may leave and join."""
    return DRIVER in os.environ


def next_round() -> tuple[int, tuple[str, ...]]:
    """Waits for the next round; returns this process's rank in it, and all addresses.

    Ends the process if it is no longer needed.

    Raises:
      DeadlineExceededError: if too few processes join.
      UnavailableError: if the launcher has ended.
    """
    answer = _request("round", WAIT_SECONDS + REQUEST_SECONDS)
    if answer == "leave":
        logs.info("This rank must leave the job")
        sys.exit(0)
    if answer is None:
        text = f"Too few ranks joined within {WAIT_SECONDS:g} seconds"
        raise DeadlineExceededError(None, None, text)
    rank, addresses = answer
    return rank, tuple(addresses)


def has_changed() -> bool:
    """Whether ranks are waiting for the next round, or must leave."""
    return is_elastic() and _request("changed", REQUEST_SECONDS)


def lost_ranks() -> list[int]:
    """Returns the ranks of this round that have ended or wait for the next one; empty in non-elastic jobs."""
    return _request("lost", REQUEST_SECONDS) if is_elastic() else []


def _request(question: str, seconds: float) -> Any:
    who = "The launcher of this elastic job"
    address, _, secret = os.environ[DRIVER].partition("/")
    path = f"/{secret}/{question}/{os.environ[WORKER]}"
    status, text = send_request(who, address, "GET", path, seconds)
    if status != 200:
        raise UnavailableError(
            None, None, f"{who} at {address} rejected the request: HTTP status {status}"
        )
    return json.loads(text)
