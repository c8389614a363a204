"""pipeline: the ordered passes from a step's subgraph to the program that codegen emits.

`prune` builds the program; `PASSES` rewrite it in order. Each pass has a file of its name (`place` in placement/, the
others in passes/), imported for the first program with a node it concerns. Devices add their own passes
(`Device.passes`). `TFMINI_DEBUG=stages` prints the program after each pass that changes it; `TFMINI_DEBUG=check`
validates it after each pass, and errors name the offending pass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from types import ModuleType
from typing import TypeAlias

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.passes import (
    check_attrs,
    collectives,
    concat_matmuls,
    divide_before_tile,
    drop_full_gathers,
    drop_noop_reshapes,
    fed_shapes,
    frames_to_loops,
    fuse_cpu,
    fuse_layers,
    fuse_matmul,
    fuse_native,
    fuse_optimizer_updates,
    fuse_runs,
    hoist_reads,
    if_convert,
    insert_copies,
    join_pads,
    loop_shapes,
    pack_matmuls,
    push_bias_through_split,
    simplify,
    sink_accumulation,
    slice_matmul,
    stream_restores,
    variable_reads,
)
from tfmini._src.compiler.passes.insert_copies import HOST_MEMORIES, Memories, loop_memories
from tfmini._src.compiler.passes.prune import prune
from tfmini._src.compiler.placement.placement import Placement, place
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import InvalidProgramError, Node, Program
from tfmini._src.compiler.program.validate import Validator
from tfmini._src.devices.device import Devices
from tfmini._src.devices.device_contexts import device_classes
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

# The shapes of all feeds.
Shapes: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Target:
    """The machine and caller that a program is compiled for.

    placement: device assignment of the graph's nodes.
    devices: the session's devices with their own memory, by name.
    memories: memories of the caller's feeds and fetches.
    shapes: shapes of all feeds, if the program is specialized to them.
    in_parts: whether the program may run in parts.
    """

    placement: Placement
    devices: Devices = field(default_factory=dict)
    memories: Memories = HOST_MEMORIES
    shapes: Shapes = ()
    in_parts: bool = False


@dataclass(frozen=True)
class Pass:
    """A function from Program to Program, and the Target fields that it accepts as keywords.

    code: the function, or its module, which has the same name.
    for_nodes: predicate for relevant nodes; programs without such a node skip the pass. Defaults to all nodes.
    covers_loops: whether one call covers loops too; otherwise the pass runs on each loop's program separately.
    in_parts: whether it supports programs that run in parts.
    reorders: whether it may reorder independent nodes with effects.
    structural: whether it defines the step's semantics; `schedule` may split a program after these passes, and the
      remaining ones run on each part.
    after: for a device's pass, the pass it follows.
    """

    code: Callable[..., Program] | ModuleType
    target_fields: tuple[str, ...] = ()
    for_nodes: Callable[[Node], bool] | None = None
    covers_loops: bool = False
    in_parts: bool = True
    reorders: bool = False
    structural: bool = False
    after: str = ""

    @property
    def name(self) -> str:
        return self.code.__name__.rpartition(".")[2]

    def applies_to(self, program: Program) -> bool:
        return self.for_nodes is None or any(map(self.for_nodes, program.nodes))

    def __call__(self, program: Program, target: Target) -> Program:
        function = self.code if callable(self.code) else getattr(self.code, self.name)
        return function(program, **{name: getattr(target, name) for name in self.target_fields})


def _has_type(*names: str) -> Callable[[Node], bool]:
    """Returns a predicate for ops of the given types."""
    return lambda node: node.opdef.name in names and node.kind == "op"


def measures_arrays(node: Node) -> bool:
    """Whether a node reads an array's shape, which feeds can determine."""
    return _is_op(node) and node.opdef.name in ("Shape", "ShapeN", "Size")


def _is_layer(node: Node) -> bool:
    return _is_op(node) and node.opdef.name.startswith(("Conv2D", "FusedBatchNorm", "MaxPoolGrad"))


def _is_op(node: Node) -> bool:
    return node.kind == "op"


def _has_product(node: Node) -> bool:
    return _has_type("MatMul")(node) or _has_run(node)


def _has_run(node: Node) -> bool:
    return node.kind == "fused" or _is_loop(node)


def _is_loop(node: Node) -> bool:
    return node.kind == "while"


def _is_branch(node: Node) -> bool:
    """Whether a node is a Switch or a Merge."""
    return _is_op(node) and (node.opdef.is_merge or node.opdef.name in ("Switch", "RefSwitch"))


def _makes_reference(node: Node) -> bool:
    """Whether a node produces a variable reference, or is a loop, which may contain such nodes."""
    if _is_loop(node):
        return True
    return not node.inputs and bool(node.opdef.outputs) and node.opdef.outputs[0].is_ref


def lower_bodies(
    program: Program, placement: Placement, devices: Devices, in_parts: bool
) -> Program:
    """Runs the remaining passes on the programs of loops; returns the program.

    Blocking loops are split by `schedule` before the remaining passes, unless the thread blocks inside them.
    """
    passes = [pass_ for pass_ in passes_for(devices) if not pass_.covers_loops]
    half = [pass_.name for pass_ in passes].index("drop_noop_reshapes") + 1
    whiles = [node for node in program.nodes if _is_loop(node)]

    def lower_loops(some: Sequence[Pass]) -> None:
        for node in whiles:
            selected = [e for e in some if e.structural or in_parts or not node.may_wait]
            memories = loop_memories(node.loop, program)
            body_target = Target(placement, devices, memories, in_parts=in_parts)
            node.payload = replace(node.loop, program=run(selected, node.loop.program, body_target))

    lower_loops(passes[:half])
    loop_shapes.drop_unread_stacks(program)
    lower_loops(passes[half:])
    return program


PASSES = (
    Pass(place, target_fields=("placement",), covers_loops=True, structural=True),
    Pass(check_attrs, covers_loops=True, structural=True),
    Pass(
        frames_to_loops,
        for_nodes=_has_type("Enter", "RefEnter"),
        covers_loops=True,
        reorders=True,
        structural=True,
    ),
    Pass(
        variable_reads,
        target_fields=("in_parts",),
        for_nodes=_makes_reference,
        covers_loops=True,
        reorders=True,
        structural=True,
    ),
    Pass(sink_accumulation, for_nodes=_is_loop, structural=True),
    Pass(loop_shapes, for_nodes=_is_loop, covers_loops=True, structural=True),
    Pass(hoist_reads, for_nodes=_is_loop, in_parts=False, reorders=True, structural=True),
    Pass(
        lower_bodies,
        target_fields=("placement", "devices", "in_parts"),
        for_nodes=_is_loop,
        structural=True,
    ),
    Pass(if_convert, for_nodes=_is_branch, structural=True),
    Pass(fed_shapes, target_fields=("shapes",), for_nodes=measures_arrays, covers_loops=True),
    Pass(simplify),
    Pass(drop_full_gathers, for_nodes=_has_type("Where")),
    Pass(drop_noop_reshapes, for_nodes=_has_type("Reshape", "Sum")),
    Pass(join_pads, for_nodes=_has_type("Pad")),
    Pass(divide_before_tile, for_nodes=_has_type("Tile")),
    Pass(concat_matmuls, for_nodes=_has_type("AddN")),
    Pass(slice_matmul, for_nodes=_has_type("Slice")),
    Pass(push_bias_through_split, for_nodes=_has_type("Split")),
    Pass(fuse_matmul, for_nodes=_has_type("MatMul")),
    Pass(fuse_layers, for_nodes=_is_layer),
    Pass(pack_matmuls, for_nodes=_has_product, covers_loops=True),
    Pass(fuse_native, for_nodes=_is_op),
    Pass(fuse_runs, for_nodes=_has_run, covers_loops=True),
    Pass(fuse_cpu, for_nodes=_is_op),
    Pass(collectives, for_nodes=lambda node: node.opdef.device_only, reorders=True),
    Pass(insert_copies, target_fields=("memories",)),
    Pass(stream_restores, for_nodes=_has_type("RestoreV2"), in_parts=False),
    Pass(
        fuse_optimizer_updates,
        for_nodes=lambda node: node.opdef.grouped_update != "",
        in_parts=False,
    ),
)


def passes_for(devices: Devices) -> Sequence[Pass]:
    """Returns `PASSES` plus the passes added by each device kind."""
    passes = list(PASSES)
    for device_class in device_classes(devices.values()):
        for pass_ in device_class.passes():
            index = [other_pass.name for other_pass in passes].index(pass_.after)
            passes.insert(index + 1, pass_)
    return passes


def structure(
    fetches: Sequence[Tensor],
    feeds: Sequence[Tensor],
    targets: Sequence[Operation],
    target: Target,
    validator: Validator | None = None,
) -> Program:
    """Returns the unoptimized program that computes `fetches` and runs `targets`, given `feeds`."""
    program = prune(fetches, feeds, targets)
    program.devices = target.devices
    validator = validator or Validator()
    _inspect(program, prune.__name__, validator)
    return run([p for p in passes_for(target.devices) if p.structural], program, target, validator)


def optimize(program: Program, target: Target, validator: Validator | None = None) -> Program:
    """Runs the non-structural passes.

    `validator` holds the node order left by the structural passes.
    """
    return run(
        [p for p in passes_for(target.devices) if not p.structural],
        program,
        target,
        validator,
    )


def lower(
    fetches: Sequence[Tensor], feeds: Sequence[Tensor], targets: Sequence[Operation], target: Target
) -> Program:
    """Runs `structure` and `optimize`; returns the final program."""
    validator = Validator()
    program = structure(fetches, feeds, targets, target, validator)
    return optimize(program, target, validator)


def run(
    passes: Iterable[Pass], program: Program, target: Target, validator: Validator | None = None
) -> Program:
    """Runs passes on a program.

    Raises:
      InvalidProgramError: under TFMINI_DEBUG=check, if a pass breaks a rule; names the pass.
    """
    validator = validator or Validator()
    for pass_ in passes:
        if (pass_.in_parts or not target.in_parts) and pass_.applies_to(program):
            previous_text = str(program) if "stages" in debug.FLAGS else ""
            program = pass_(program, target)
            if debug.FLAGS:
                _inspect(program, pass_.name, validator, pass_.reorders, previous_text)
    return program


def _inspect(
    program: Program,
    name: str,
    validator: Validator,
    reorders: bool = False,
    previous_text: str = "",
) -> None:
    """Prints and validates the program after a pass, as selected by TFMINI_DEBUG."""
    if "stages" in debug.FLAGS and str(program) != previous_text:
        print(f"{name}\n{program}\n", file=sys.stderr)
    if "check" in debug.FLAGS:
        try:
            validator.check(program, reorders)
        except InvalidProgramError as error:
            raise InvalidProgramError(f"after {name}: {error}") from None
