"""Repeated runs of tensors, after variables are initialized or restored and queues started."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.learn.graph_training import create_saver, deprecated_graph_training
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.session.session import Session
from tfmini._src.train.input_queues.coordinator import Coordinator
from tfmini._src.train.input_queues.queue_runner import start_queue_runners
from tfmini._src.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
)
from tfmini._src.variables.resources import (
    initialize_resources,
    local_resources,
    shared_resources,
)


@deprecated_graph_training
def run_feeds_iter(
    output_dict: dict, feed_dicts: Any, restore_checkpoint_path: str | None = None
) -> Iterator[dict]:
    """Runs tensors once per feed, as an iterator; `run_feeds` returns a list."""
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    graph = next(iter(output_dict.values())).graph
    with graph.as_default(), Session(graph=graph) as session:
        session.run(initialize_resources(shared_resources() + local_resources()))
        if restore_checkpoint_path:
            logs.info("Loading model from checkpoint: %s.", restore_checkpoint_path)
            saver = create_saver(graph)
            if saver is None:
                logs.info("No variables found in graph, not creating Saver() object.")
            else:
                saver.restore(session, restore_checkpoint_path)
        else:
            session.run(global_variables_initializer())
        session.run(local_variables_initializer())
        session.run(tables_initializer())
        coordinator, threads = Coordinator(), None
        try:
            threads = start_queue_runners(session, coord=coordinator)
            for feed_values in feed_dicts:
                yield session.run(output_dict, feed_values)
        finally:
            coordinator.request_stop()
            if threads:
                coordinator.join(threads, stop_grace_period_secs=120)


@deprecated_graph_training
def run_feeds(*args: Any, **kwargs: Any) -> list[dict[Any, Any]]:
    """Runs tensors once per feed: `run_feeds(output_dict, feed_dicts, restore_checkpoint_path=None)`.

    Args:
      *args, **kwargs: the arguments below.
      output_dict: a dict from name to tensor, all in one graph.
      feed_dicts: an iterable of feed dicts.
      restore_checkpoint_path: a checkpoint; without one, variables are initialized.

    Returns:
      A list of dicts from name to value.

    Raises:
      ValueError: if there are no tensors or no feeds.
    """
    return list(run_feeds_iter(*args, **kwargs))


@deprecated_graph_training
def run_n(
    output_dict: dict[Any, Any],
    feed_dict: FeedDict | None = None,
    restore_checkpoint_path: str | None = None,
    n: int = 1,
) -> list[dict[Any, Any]]:
    """Runs tensors n times.

    Args:
      output_dict: a dict from name to tensor, all in one graph.
      feed_dict: feed dict of each run.
      restore_checkpoint_path: a checkpoint; without one, variables are initialized.
      n: number of runs.

    Returns:
      A list of dicts from name to value.

    Raises:
      ValueError: if there are no tensors.

    Example: `tf.contrib.learn.run_n({"x": tf.random_normal([])}, n=3)`.
    """
    return run_feeds(output_dict, itertools.repeat(feed_dict, n), restore_checkpoint_path)


@deprecated_graph_training
def infer(
    restore_checkpoint_path: str | None,
    output_dict: dict[Any, Any],
    feed_dict: FeedDict | None = None,
) -> dict[Any, Any]:
    """Runs tensors once.

    Args:
      restore_checkpoint_path: a checkpoint; without one, variables are initialized.
      output_dict: a dict from name to tensor, all in one graph.
      feed_dict: feed dict of the run.

    Returns:
      A dict from name to value.
    """
    return run_feeds(output_dict, [feed_dict], restore_checkpoint_path)[0]
