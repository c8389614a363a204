"""slim's training, with masks that are updated after each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.contrib.slim import learning
from tfmini._src.contrib.slim.learning import train_step
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.checkpoints.saver import Saver

_USE_DEFAULT: Any = 0


def train(
    train_op: Any,
    logdir: str | None,
    mask_update_op: Any,
    train_step_fn: Callable = train_step,
    train_step_kwargs: Any = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: Graph | None = None,
    master: str = "",
    is_chief: bool = True,
    global_step: TensorLike | None = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Saver | None = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: proto.ConfigProto | None = None,
    trace_every_n_steps: int | None = None,
) -> Any:
    """`tf.contrib.slim.learning.train`, which runs `mask_update_op` after each step.

    Args:
      train_op, logdir: as there.
      mask_update_op: of `Pruning.conditional_mask_update_op`.
      train_step_fn, train_step_kwargs, log_every_n_steps, graph, master, is_chief, global_step, number_of_steps,
        init_op, init_feed_dict, local_init_op, init_fn, ready_op, summary_op, save_summaries_secs, summary_writer,
        startup_delay_steps, saver, save_interval_secs, sync_optimizer, session_config, trace_every_n_steps: as there.

    Returns:
      The last loss.
    """
    options = dict(locals())
    for name in ("train_op", "logdir", "mask_update_op", "train_step_fn"):
        del options[name]

    def step(session: Any, train_op: Any, global_step: Any, kwargs: dict) -> tuple[Any, Any]:
        loss, stop = train_step_fn(session, train_op, global_step, kwargs)
        session.run(mask_update_op)
        return loss, stop

    return learning.train(train_op, logdir, train_step_fn=step, **options)
