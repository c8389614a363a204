"""An optimizer that reduces gradients over TPU cores; unsupported without TPUs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.wrapped_optimizer import delegate


class CrossShardOptimizer(Optimizer):
    """Wraps an optimizer to reduce gradients over TPU cores.

    Args:
      opt: an optimizer.
      reduction: SUM or MEAN of `tf.losses.Reduction`.
      name: optimizer name.
      group_assignment: groups of cores to reduce over.

    Raises:
      ValueError: for another reduction.
      UnimplementedError: on applying gradients: TPUs are unsupported.
    """

    get_slot = delegate("get_slot")
    get_slot_names = delegate("get_slot_names")

    def __init__(
        self,
        opt: Optimizer,
        reduction: str = Reduction.MEAN,
        name: str = "CrossShardOptimizer",
        group_assignment: Sequence[Sequence[int]] | None = None,
    ):
        if reduction not in (Reduction.SUM, Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        super().__init__(False, name)
        self._opt, self._group_assignment = opt, group_assignment

    def compute_gradients(  # type: ignore[override]  # accepts the arguments of the wrapped optimizer
        self, loss: Tensor, var_list: Sequence[Any] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Returns the gradients of the wrapped optimizer; the arguments are as in its `compute_gradients`."""
        logs.warning(
            "CrossShardOptimizer should be used within a tpu_shard_context, but got unset number_of_shards. "
            "Assuming 1."
        )
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Raises an error, since the reduction over cores is unsupported.

        Raises:
          UnimplementedError: always.
        """
        raise UnimplementedError(
            None,
            None,
            "CrossShardOptimizer requires TPUs; use the wrapped optimizer when use_tpu=False",
        )

    def variables(self) -> list[Any]:
        """Returns the variables of the wrapped optimizer."""
        return self._opt.variables()
