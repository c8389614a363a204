"""A session that asserts GPU launches: every run must launch if one of its nodes computes on a GPU.

The plan compiler folds constants on the CPU, so a check without feeds would compare the CPU with itself.
"""

import contextlib
from unittest import mock

import numpy as np

import tfmini as tf
from tests.support.fake_cupy.machine import current
from tests.support.gpu import idle_on_gpus
from tfmini._src.executor.plan import Plan

LAUNCHES = "launches"
# The reason reported for a row whose nodes have several: the first of these.
_ORDER = (
    *(idle_on_gpus.EMPTY, idle_on_gpus.ON_THE_HOST, idle_on_gpus.NO_KERNEL),
    *(idle_on_gpus.MOVED, idle_on_gpus.HOST_MEMORY),
)


class GpuSession(tf.Session):
    """Records the launches of its runs, and the nodes that require them.

    Args:
      feeds_constants: whether to feed the graph's constants their own values, except those whose value graph
        construction has used and those with control inputs.

    launches: kernel launches on the emulator; on a GPU, which has no hook for CuPy's kernels, nodes run on the GPU.
    computing: op types of the nodes that compute on a GPU. reasons: why the other nodes launch nothing.
    """

    def __init__(self, config=None, feeds_constants=False):
        super().__init__(config=config)
        self.feeds_constants = feeds_constants
        self.launches = 0
        self.computing = set()
        self.reasons = set()

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        feed = dict(feed_dict or {})
        tensors = [self._element(key) for key in feed]
        expected = [self._element(each) for each in _flat(fetches)]
        if self.feeds_constants:
            constants = self._constants({*tensors, *expected})
            feed.update(constants)
            tensors += constants
        with launches_counted() as count:
            results = super().run(fetches, feed, options, run_metadata)
        self.launches += count()
        if any(np.size(value) == 0 for value in (*(feed_dict or {}).values(), *_flat(results))):
            self.reasons.add(idle_on_gpus.EMPTY)
        for op in _between(expected, tensors):
            reason = idle_on_gpus.reason(op)
            self.reasons.add(reason)
            if not reason:
                self.computing.add(op.type)
        return results

    @property
    def undecided(self):
        """Whether launches are optional, as for some kernels on empty arrays."""
        return idle_on_gpus.EMPTY in self.reasons and not self.computing

    @property
    def as_expected(self):
        """Whether it launched if and only if a node computes on a GPU."""
        return self.undecided or bool(self.launches) == bool(self.computing)

    def judge(self, row, idle, launching):
        """LAUNCHES, or the reason why the row launched nothing.

        Args:
          row: its name.
          idle: rows that launch nothing although a node computes, with reasons.
          launching: rows that launch although no node computes, with reasons.

        Raises:
          AssertionError: for missing or unexpected launches, or an unnecessary entry in these lists.
        """
        is_exception = not self.undecided and row in (idle if self.computing else launching)
        assert is_exception or row not in {**idle, **launching}, f"{row} need not be listed"
        if self.undecided:
            return LAUNCHES if self.launches else idle_on_gpus.EMPTY
        if bool(self.computing) != is_exception:
            why = ", ".join(sorted(self.computing)) or launching[row]
            assert self.launches, f"{row} launches nothing on the GPU: {why}"
            return LAUNCHES
        assert not self.launches or current.machine is None, f"{row} launches on the GPU"
        result = (each for each in _ORDER if each in self.reasons)
        return idle.get(row) or next(result, idle_on_gpus.NOTHING)

    def _element(self, key):
        return self.graph.as_graph_element(key)

    def _constants(self, others):
        results = {}
        for op in self.graph.get_operations():
            if op.type != "Const" or op.control_inputs or op._get_control_flow_context():
                continue
            tensor = op.outputs[0]
            if tensor not in others and tensor.consumers() and self.graph.is_feedable(tensor):
                results[tensor] = tf.make_ndarray(op.get_attr("value"))
        return results


def _flat(nest):
    flat = tf.contrib.framework.nest.flatten(nest, expand_composites=True)
    return [each for each in flat if each is not None]


def _between(fetches, feeds):
    """The nodes that a run of these fetches executes, without constants."""
    results, remaining = set(), [each for each in fetches if each not in feeds]
    while remaining:
        each = remaining.pop()
        op = each if isinstance(each, tf.Operation) else each.op
        if op in results:
            continue
        results.add(op)
        remaining += [tensor for tensor in op.inputs if tensor not in feeds]
        remaining += op.control_inputs
    return {op for op in results if op.type not in ("Const", "NoOp")}


@contextlib.contextmanager
def launches_counted():
    """Context that yields a function returning the number of launches since its start."""
    machine = current.machine
    if machine is not None:
        before = machine.counters.launches
        yield lambda: machine.counters.launches - before
        return
    programs = []
    run = Plan._run_function

    def run_recorded(plan, *args):
        programs.append(plan.program)
        return run(plan, *args)

    with mock.patch.object(Plan, run.__name__, run_recorded):
        yield lambda: sum(_runs_on_gpu(n, each) for each in programs for n in each.all_nodes())


def _runs_on_gpu(node, program):
    slots = (*node.inputs, *node.outputs)
    return node.kind in ("op", "fused", "updates") and any(s in program.memory for s in slots)
