"""`Scaffold`: the nodes that initialize a session, found in collections or created."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.train.checkpoints.default_saver import saver_or_default
from tfmini._src.variables.collections import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from tfmini._src.variables.resources import (
    initialize_resources,
    local_resources,
    report_uninitialized_resources,
    shared_resources,
)

if TYPE_CHECKING:
    from tfmini._src.graph.default_stack import FeedDict
    from tfmini._src.graph.operation import Operation
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.train.checkpoints.saver import Saver


class Scaffold:
    """The operations that initialize a monitored session; `finalize` creates missing operations.

    Args:
      init_op: operation that initializes variables if no checkpoint exists.
      init_feed_dict: feeds of `init_op`.
      init_fn: a function of the Scaffold and the session, called after `init_op`.
      ready_op: a string vector of uninitialized variables.
      ready_for_local_init_op: same, for the variables that `local_init_op` requires.
      local_init_op: operation run in each new session.
      summary_op: the summaries to write.
      saver: a Saver.
      copy_from_scaffold: a Scaffold to copy omitted arguments from.

    Raises:
      TypeError: if `copy_from_scaffold` is not a Scaffold.

    Example:
      scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=20))
      with tf.train.MonitoredTrainingSession(checkpoint_dir="/tmp/model", scaffold=scaffold) as session:
          session.run(train)
    """

    init_fn: Callable | None = read_only("A function of the session, called after `init_op`.")
    init_op: Any = read_only("Operation that initializes variables.")
    ready_op: Any = read_only("Names of uninitialized variables, a string vector.")
    ready_for_local_init_op: Any = read_only(
        "Names of uninitialized variables required by `local_init_op`, a string vector."
    )
    local_init_op: Any = read_only("Operation run in each new session.")
    summary_op: Any = read_only("The merged summaries.")
    saver: Any = read_only("The Saver.")
    init_feed_dict: Any = read_only("Feeds of `init_op`.")

    def __init__(
        self,
        init_op: Operation | Tensor | None = None,
        init_feed_dict: FeedDict | None = None,
        init_fn: Callable[..., Any] | None = None,
        ready_op: Operation | Tensor | None = None,
        ready_for_local_init_op: Operation | Tensor | None = None,
        local_init_op: Operation | Tensor | None = None,
        summary_op: Tensor | None = None,
        saver: Saver | None = None,
        copy_from_scaffold: Scaffold | None = None,
    ):
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError("copy_from_scaffold is not a Scaffold instance.")
            other = copy_from_scaffold
            init_op = _first(init_op, other.init_op)
            init_feed_dict = _first(init_feed_dict, other.init_feed_dict)
            init_fn = _first(init_fn, other._user_init_fn)
            ready_op = _first(ready_op, other.ready_op)
            ready_for_local_init_op = _first(ready_for_local_init_op, other.ready_for_local_init_op)
            local_init_op = _first(local_init_op, other.local_init_op)
            summary_op = _first(summary_op, other.summary_op)
            saver = _first(saver, other.saver)
        self._user_init_fn: Callable | None = init_fn
        self._init_fn: Callable | None = None
        if init_fn:
            self._init_fn = lambda session: init_fn(self, session)
        self._init_op = init_op
        self._init_feed_dict = init_feed_dict
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._local_init_op = local_init_op
        self._summary_op = summary_op
        self._saver = saver

    def finalize(self) -> Scaffold:
        """Creates missing operations and finalizes the graph; returns the Scaffold."""
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default("init_op", GraphKeys.INIT_OP, _init_op)
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default("ready_op", GraphKeys.READY_OP, _ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                "ready_for_local_init_op",
                GraphKeys.READY_FOR_LOCAL_INIT_OP,
                _ready_for_local_init_op,
            )
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default(
                "local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = Scaffold.get_or_default(
                "summary_op", GraphKeys.SUMMARY_OP, merge_all
            )
        if self._saver is None:
            self._saver = saver_or_default()
        self._saver.build()
        get_default_graph().finalize()
        logs.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(
        arg_name: str, collection_key: str, default_constructor: Callable[[], Any]
    ) -> Any:
        """Returns the item in a collection, or the result of a function, which is added to the collection.

        Raises:
          RuntimeError: if there are several items; the message suggests the argument `arg_name`.
        """
        items = get_collection(collection_key)
        if len(items) > 1:
            raise RuntimeError(
                'More than one item in the collection "%s". Please indicate which one to use by passing it to the '
                "tf.Scaffold constructor as:  tf.Scaffold(%s=item to use)",
                collection_key,
                arg_name,
            )
        if items:
            return items[0]
        result = default_constructor()
        if result is not None:
            add_to_collection(collection_key, result)
        return result

    @staticmethod
    def default_local_init_op() -> Any:
        """Returns an operation that initializes local variables, tables and local resources."""
        return ops.group(
            local_variables_initializer(),
            tables_initializer(),
            initialize_resources(local_resources()),
        )


def _first(value: Any, other: Any) -> Any:
    return other if value is None else value


def _init_op() -> Any:
    return ops.group(
        global_variables_initializer(),
        initialize_resources(shared_resources()),
    )


def _ready_op() -> Any:
    return ops.concat([report_uninitialized_variables(), report_uninitialized_resources()], 0)


def _ready_for_local_init_op() -> Any:
    return ops.concat(
        [
            report_uninitialized_variables(global_variables()),
            report_uninitialized_resources(shared_resources()),
        ],
        0,
    )
