"""Partial runs: `partial_run_setup` and `partial_run`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import OpError, invalid
from tfmini._src.executor.partial import PartialProgram, PartialRun
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.device_feeds import on_host
from tfmini._src.session.feeds import feed_pairs
from tfmini._src.session.fetches import Fetches, find_conversion, to_fetched_value
from tfmini._src.session.tensor_handles import resolve_handles

if TYPE_CHECKING:
    from tfmini._src.session.base_session import BaseSession

_handles = itertools.count(1)


def set_up(session: BaseSession, fetches: object, feeds: object) -> str:
    """Implements `partial_run_setup` for an open session; returns the handle."""
    tensors: list[Tensor] = []
    listed = () if feeds is None else feeds if isinstance(feeds, list | tuple) else (feeds,)
    for feed in listed:
        elements = find_conversion(feed)[3]
        if elements is None:
            raise TypeError(f"Feed argument {feed!r} has invalid type {type(feed)!r}")
        for element in elements(feed):
            try:
                tensor = session._graph.as_graph_element(element, True, False)
            except (TypeError, ValueError, KeyError) as error:
                raise TypeError(
                    f"Feed argument {feed!r} cannot be interpreted as a Tensor: {error.args[0]}"
                ) from None
            if not session._graph.is_feedable(tensor):
                raise ValueError(f"Tensor {tensor} may not be fed.")
            tensors.append(tensor)
    resolved = Fetches(session._graph, fetches)
    if not resolved.tensors and not resolved.targets:
        invalid("Must specify at least one target to fetch or execute.")
    for index, tensor in enumerate(tensors):
        if tensor in tensors[:index]:
            invalid(f'Endpoint "{tensor.name}" fed more than once.')
    for tensor in resolved.tensors:
        if tensor in tensors:
            invalid(f"{tensor.name} is both fed and fetched.")
    with session._lock:
        session._place_new_nodes()
        if session._remote is not None:
            state: Any = session._remote.partial_run(resolved.tensors, tensors, resolved.targets)
        else:
            key = tuple(resolved.tensors), tuple(tensors), tuple(resolved.targets)
            program = session._partial_programs.get(key) or session._partial_programs.promote(key)
            if program is None:
                program = _compile(session, *key)
                session._partial_programs.keep(key, program)
            state = PartialRun(program)
        handle = f"partial run {next(_handles)}"
        session._partial_runs[handle] = state
    return handle


def _compile(
    session: BaseSession,
    fetches: Sequence[Tensor],
    feeds: Sequence[Tensor],
    targets: Sequence[Operation],
) -> PartialProgram:
    inlined = session._inlined_graph
    return PartialProgram(
        [inlined.tensor(tensor) for tensor in fetches],
        [inlined.tensor(tensor) for tensor in feeds],
        [inlined.operation(op) for op in targets],
        session._resources,
        session._placement,
        session._devices,
    )


def step(session: BaseSession, handle: str, fetches: object, feed_dict: FeedDict | None) -> Any:
    """Implements `partial_run`: feeds and fetches the next part of a step."""
    pairs = feed_pairs(session._graph, feed_dict, session._resources) if feed_dict else []
    resolved = Fetches(session._graph, fetches)
    resolve_handles(session, resolved, ())
    resolved.convert_handles()
    if resolved.targets:
        raise RuntimeError("partial_run() requires empty target_list.")
    if not resolved.tensors and not pairs:
        return resolved.build(())
    state = session._partial_runs.get(handle)
    if state is None:
        remote = session._remote is not None
        hint = "PartialRunSetup before performing partial runs"
        invalid("Must run " + (hint if remote else "'setup' before performing partial runs!"))
    try:
        tensor = session._inlined_graph.tensor if session._remote is None else _identity
        host_feeds = [(tensor(fed), value) for fed, value in on_host(pairs, session._devices)]
        values = state.step(host_feeds, [tensor(fetched) for fetched in resolved.tensors])
    except OpError as error:
        session._step_failed(error)
        raise
    finally:
        if state.finished:
            session._partial_runs.pop(handle, None)
    return resolved.build(to_fetched_value(values))


def _identity(tensor: Tensor) -> Tensor:
    return tensor
