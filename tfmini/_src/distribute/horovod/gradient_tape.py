"""Gradient tapes with gradients combined over all processes."""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.distribute.horovod.collectives import Average, reduction
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.gradient_reduction import GradientReduction


class _DistributedGradientTape:
    """Overrides the `gradient` method of a distributed tape."""

    _reduce: GradientReduction

    def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        """Returns the tape's gradients, reduced over all processes; takes the arguments of `GradientTape.gradient`."""
        grads = super().gradient(target, sources, *args, **kwargs)  # type: ignore[misc]
        return pack_sequence_as(sources, self._reduce(flatten(grads)))


def DistributedGradientTape(
    gradtape: GradientTape,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    sparse_as_dense: bool = False,
    op: int = Average,
    gradient_predivide_factor: float = 1.0,
    num_groups: int = 0,
    groups: Any = None,
) -> Any:
    """Returns a tape whose gradients are averaged over all processes; arguments as in `DistributedOptimizer`.

    Example:
      with tf.GradientTape() as tape:
          loss = ...
      tape = hvd.DistributedGradientTape(tape)
      grads = tape.gradient(loss, variables)
    """
    reduce = GradientReduction(
        "DistributedGradientTape",
        (device_dense, device_sparse),
        compression,
        sparse_as_dense,
        reduction(None, op),
        gradient_predivide_factor,
    )
    cls = type(gradtape)
    result: Any = type(cls.__name__, (_DistributedGradientTape, cls), {"_reduce": reduce})
    distributed = result.__new__(result)
    vars(distributed).update(vars(gradtape))
    return distributed
