"""Training loop of slim, with a mask update after each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.slim import learning


@arguments_of(learning.train, "session_wrapper", "ignore_live_threads")
def train(logdir: str | None, mask_update_op: Any, train_step_fn: Callable, **options: Any) -> Any:
    """Trains like `tf.contrib.slim.learning.train`, and runs `mask_update_op` after each step.

    Args:
      train_op, logdir: as in `tf.contrib.slim.learning.train`.
      mask_update_op: the op returned by `Pruning.conditional_mask_update_op`.
      train_step_fn, train_step_kwargs, log_every_n_steps, graph, master, is_chief, global_step, number_of_steps,
        init_op, init_feed_dict, local_init_op, init_fn, ready_op, summary_op, save_summaries_secs, summary_writer,
        startup_delay_steps, saver, save_interval_secs, sync_optimizer, session_config, trace_every_n_steps: as in
        `tf.contrib.slim.learning.train`.

    Returns:
      The last loss.
    """

    def step(session: Any, train_op: Any, global_step: Any, kwargs: dict) -> tuple[Any, Any]:
        loss, stop = train_step_fn(session, train_op, global_step, kwargs)
        session.run(mask_update_op)
        return loss, stop

    return learning.train(logdir=logdir, train_step_fn=step, **options)
