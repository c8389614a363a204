"""pipeline: the passes from what a step needs of the graph to the program that is written down, in order.

`prune` makes the program; `PASSES` rewrite it, one after the other, each a file of its name (`place` in placement/, the
others in passes/). `TFMINI_DEBUG=stages` prints the program after each; `TFMINI_DEBUG=check` validates it, so that
what a pass has broken is an error with that pass's name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.passes.check_attrs import check_attrs
from tfmini._src.compiler.passes.collectives import collectives
from tfmini._src.compiler.passes.concat_matmuls import concat_matmuls
from tfmini._src.compiler.passes.drop_noop_reshapes import drop_noop_reshapes
from tfmini._src.compiler.passes.frames_to_loops import frames_to_loops
from tfmini._src.compiler.passes.fuse_cpu import fuse_cpu
from tfmini._src.compiler.passes.fuse_gpu import fuse_gpu
from tfmini._src.compiler.passes.fuse_matmul import fuse_matmul
from tfmini._src.compiler.passes.fuse_native import fuse_native
from tfmini._src.compiler.passes.fuse_optimizer_updates import fuse_optimizer_updates
from tfmini._src.compiler.passes.if_convert import if_convert
from tfmini._src.compiler.passes.insert_copies import (
    ON_HOST,
    Memories,
    insert_copies,
    loop_memories,
)
from tfmini._src.compiler.passes.loop_shapes import drop_unread_stacks, loop_shapes
from tfmini._src.compiler.passes.prune import prune
from tfmini._src.compiler.passes.push_bias_through_split import push_bias_through_split
from tfmini._src.compiler.passes.simplify import simplify
from tfmini._src.compiler.passes.sink_accumulation import sink_accumulation
from tfmini._src.compiler.passes.slice_matmul import slice_matmul
from tfmini._src.compiler.passes.stream_restores import stream_restores
from tfmini._src.compiler.passes.variable_reads import variable_reads
from tfmini._src.compiler.placement.placement import Placement, place
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import InvalidProgramError, Program
from tfmini._src.compiler.program.validate import Validator


@dataclass(frozen=True)
class Target:
    """The machine and the caller that a program is made for.

    placement: the devices of the graph's nodes; gpus: those of the session, by their names.
    memories: where the caller has its feeds and wants its fetches.
    in_parts: whether its nodes need not all run at once.
    """

    placement: Placement
    gpus: Mapping[str, Any]
    memories: Memories = ON_HOST
    in_parts: bool = False


@dataclass(frozen=True)
class Pass:
    """A function from Program to Program, and the fields of Target that it takes as keywords.

    once: whether it takes in the loops too; else it runs over the program of each loop by itself.
    in_parts: whether it also suits a program whose nodes need not all run at once.
    reorders: whether it puts nodes with effects, if neither waits for the other, in another order.
    structural: whether it says what a step does; after these `schedule` may divide it, and the others run on each part.
    """

    function: Callable[..., Program]
    takes: tuple[str, ...] = ()
    once: bool = False
    in_parts: bool = True
    reorders: bool = False
    structural: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    def __call__(self, program: Program, target: Target) -> Program:
        if not self.takes:
            return self.function(program)
        return self.function(program, **{name: getattr(target, name) for name in self.takes})


def lower_bodies(program: Program, placement: Placement, gpus: Mapping[str, Any]) -> Program:
    """Returns the program with the programs of its loops lowered by the passes that they still lack."""
    passes = [each for each in PASSES if not each.once]
    half = next(n for n, each in enumerate(passes, 1) if each.function is drop_noop_reshapes)
    whiles = [node for node in program.nodes if node.kind == "while"]
    if not whiles:
        return program

    def lowered(some: Sequence[Pass]) -> None:
        for node in whiles:
            inside = Target(placement, gpus, loop_memories(node.loop, program, gpus))
            node.payload = replace(node.loop, program=run(some, node.loop.program, inside))

    lowered(passes[:half])
    drop_unread_stacks(program)
    lowered(passes[half:])
    return program


PASSES = (
    Pass(place, takes=("placement",), once=True, structural=True),
    Pass(check_attrs, takes=("gpus",), once=True, structural=True),
    Pass(frames_to_loops, once=True, reorders=True, structural=True),
    Pass(variable_reads, once=True, structural=True),
    Pass(sink_accumulation, structural=True),
    Pass(loop_shapes, once=True, structural=True),
    Pass(lower_bodies, takes=("placement", "gpus"), structural=True),
    Pass(if_convert, structural=True),
    Pass(simplify),
    Pass(drop_noop_reshapes),
    Pass(concat_matmuls),
    Pass(slice_matmul),
    Pass(push_bias_through_split),
    Pass(fuse_matmul),
    Pass(fuse_native),
    Pass(fuse_cpu),
    Pass(fuse_gpu, in_parts=False),
    Pass(collectives, takes=("gpus",), reorders=True),
    Pass(insert_copies, takes=("gpus", "memories")),
    Pass(stream_restores, in_parts=False),
    Pass(fuse_optimizer_updates, in_parts=False),
)


def structure(
    fetches: Sequence[Any],
    feeds: Sequence[Any],
    targets: Sequence[Any],
    target: Target,
    validator: Validator | None = None,
) -> Program:
    """The program that computes tensors `fetches` and runs operations `targets`, given `feeds`, before optimization."""
    program = prune(fetches, feeds, targets)
    validator = validator or Validator()
    _inspect(program, prune.__name__, validator)
    return run([each for each in PASSES if each.structural], program, target, validator)


def optimize(program: Program, target: Target, validator: Validator | None = None) -> Program:
    """The program after the passes that follow its structure.

    `validator` has checked the passes before, and knows the order that they have left.
    """
    return run([each for each in PASSES if not each.structural], program, target, validator)


def lower(
    fetches: Sequence[Any], feeds: Sequence[Any], targets: Sequence[Any], target: Target
) -> Program:
    """The same as `structure`, after all passes."""
    validator = Validator()
    program = structure(fetches, feeds, targets, target, validator)
    return optimize(program, target, validator)


def run(
    passes: Iterable[Pass], program: Program, target: Target, validator: Validator | None = None
) -> Program:
    """The program after some passes.

    Raises:
      InvalidProgramError: under TFMINI_DEBUG=check, if a pass breaks a rule; it names the pass.
    """
    validator = validator or Validator()
    for each in passes:
        if each.in_parts or not target.in_parts:
            program = each(program, target)
            if debug.FLAGS:
                _inspect(program, each.name, validator, each.reorders)
    return program


def _inspect(program: Program, name: str, validator: Validator, reorders: bool = False) -> None:
    """Prints and checks the program after a pass, as TFMINI_DEBUG asks for."""
    if "stages" in debug.FLAGS:
        print(f"{name}\n{program}\n", file=sys.stderr)
    if "check" in debug.FLAGS:
        try:
            validator.check(program, reorders)
        except InvalidProgramError as error:
            raise InvalidProgramError(f"after {name}: {error}") from None
