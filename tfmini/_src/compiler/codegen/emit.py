"""emit: writes a program as the source of one Python function, plus the values it references.

Straight-line code over local variables avoids slot lookups and dispatch. Each node has its own line, which identifies
it when it fails. `TFMINI_DEBUG=plan` prints the source.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tfmini._src.base.dtypes import quantized_to_integers
from tfmini._src.compiler.analysis.overwrites import check_overwrites
from tfmini._src.compiler.analysis.ownership import analyze
from tfmini._src.compiler.codegen.call_expressions import Calls
from tfmini._src.compiler.codegen.intrinsics import (
    check_predicate,
    copy,
    current,
    no_value,
    row_major,
    stack_matrices,
)
from tfmini._src.compiler.codegen.release_points import release_points
from tfmini._src.compiler.codegen.shared_memory import sharing_line
from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.codegen.value_expressions import Values, first_true
from tfmini._src.compiler.interrupts import LOOP_HOOKS, after_iteration
from tfmini._src.compiler.kernel_context import PlanResources
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import Guard, Loop, Node, Program
from tfmini._src.devices.device_contexts import make_leave

_INDENT = "    "
# Maximum nesting of `if` blocks; Python allows 100 levels of indentation.
_BLOCKS = 80
# Step index of group members, which must not overwrite inputs because other members may read them.
_MEMBER = -1


def emit(program: Program, resources: PlanResources) -> Source:
    """Returns the source of `plan(feeds)`, which returns the fetched values as a tuple."""
    return Emitter(program, resources).source()


class Emitter:
    """Writes a program's function, node by node.

    bodies: sources of the called functions, appended below the plan.
    """

    def __init__(self, program: Program, resources: PlanResources, outer: Emitter | None = None):
        self.program = program
        self.values: Values
        self.bodies: list[Source]
        if outer is None:
            self.values, self.bodies = Values(program, resources), []
        else:
            self.values, self.bodies = outer.values.loop_values(program), outer.bodies
        self.ownership = analyze(program)
        self.calls = Calls(self.values, self.ownership)
        self.values.names.update(
            copy=copy, row_major=row_major, quantized_to_integers=quantized_to_integers
        )
        loops: list[str] = [] if outer is None else outer.text.loops
        self.text: Source = Source(
            program, names=self.values.names, constants=self.values.constants, loops=loops
        )
        self.guard: Guard = ()
        self.indent = 0
        self.loop_invariants: set[int] = set()  # slots read again in the next iteration
        self.checked: set[int] = set()
        self.in_use = ""  # the device that the emitted lines currently use, if known
        self.fetched = Counter(r for s in program.fetches for r in self.ownership.base.get(s, ()))
        self.needed = {*program.fetches, *(s for node in program.nodes for s in node.inputs)}
        # Whether other threads may use the plan's devices while the plan waits for fetched values.
        stays = program.shares_arrays or any(map(program.memory.get, program.fetches))
        self.leaves = outer is None and not stays and "alias" not in debug.FLAGS

    def source(self) -> Source:
        program = self.program
        self.text.lines.append("def plan(feeds):")
        if program.feeds:
            targets = ", ".join(f"t{s}" for s in program.feeds)
            self._line(f"{targets}{',' if len(program.feeds) == 1 else ''} = feeds")
        maybe = {s for node in program.nodes if node.guard for s in node.outputs}
        for slot in sorted(maybe.intersection(program.fetches)):
            self._line(f"t{slot} = None")
        self._emit_nodes()
        for index, guard in program.fetch_guards.items():
            self.values.names["no_value"] = no_value
            condition = "" if guard is None else f"if not ({self._guard_text(guard)}): "
            self._line(f"{condition}no_value({index})")
        results = [self._fetch_expression(n, s) for n, s in enumerate(program.fetches)]
        self._line(f"return ({', '.join(results)}{',' if len(results) == 1 else ''})")
        for body in self.bodies:
            offset = len(self.text.lines)
            self.text.lines += body.lines
            self.text.node_of_line.update({n + offset: m for n, m in body.node_of_line.items()})
            self.text.calls.update(line + offset for line in body.calls)
        return self.text

    def _constant_name(self, node: Node) -> str:
        """Returns the name of a constant's value."""
        return self.values.constant(node)

    def _emit_nodes(self) -> None:
        """Emits the lines of all nodes."""
        lasting_slots = {
            *self.program.fetches,
            *self.program.fetch_predicates,
            *self.loop_invariants,
        }
        ends, behind = release_points(self.program, lasting_slots, self.values.is_small)
        waits_from = self._waits_from()
        release_steps: dict[int, list[int]] = {}
        for root, last in self.ownership.last_use.items() if "alias" in debug.FLAGS else ():
            if root in self.ownership.owned:
                release_steps.setdefault(last, []).append(root)
        for step, node in enumerate(self.program.nodes):
            if step == waits_from:
                self._enter_guard(())
                self.values.names["leave"] = make_leave(self.program.devices.values())
                self._line("leave()")
            if node.kind != "const":
                self._enter_guard(node.guard)
            self._emit_release(behind.get(step, []))
            self._emit_node(step, node)
            dead_roots = [
                s
                for s in ends.get(step, ())
                if s not in self.values.constants and s not in self.values.cells
            ]
            if step in release_steps:
                self._fill_dead(step, node, release_steps[step])
            self._emit_release(dead_roots)
            self._end_step(step, ends)
        self._enter_guard(())
        if "check" in debug.FLAGS:
            check_overwrites(self.program, self.calls.overwritten)

    def _waits_from(self) -> int:
        """Returns the index of the first of the trailing "receive" nodes, which wait for fetches, or -1."""
        nodes = self.program.nodes
        first = len(nodes)
        while first and nodes[first - 1].kind == "receive":
            first -= 1
        return first if self.leaves and first < len(nodes) else -1

    def _emit_node(self, step: int, node: Node) -> None:
        """Emits the lines of a node."""
        start = len(self.text.lines)
        # All readers use a variable's value in place.
        read_in = self.program.memory.get(node.outputs[0], "") if node.kind == "read" else None
        if node.kind != "receive":
            self._activate_device(node.device if read_in is None else read_in)
        self._emit_by_kind(step, node)
        for line in range(start, len(self.text.lines)):
            self.text.node_of_line.setdefault(line + 1, node)

    def _end_step(self, step: int, ends: dict[int, list[int]]) -> None:
        """Hook for lines after a node's lines."""

    def _emit_release(self, slots: list[int]) -> None:
        if slots:
            self._line(" = ".join(f"t{s}" for s in slots) + " = None")

    def _fill_dead(self, step: int, node: Node, dead_roots: list[int]) -> None:
        """Overwrites owned arrays that no later node may read, unless `node` keeps them (TFMINI_DEBUG=alias)."""
        slots = self.calls.owned_inputs(step, node) if node.kind == "op" else {}
        roots = {root for slot in slots for root in self.ownership.base.get(slot, ())}
        self.values.names["fill"] = debug.fill
        for root in dead_roots:
            if root not in roots:
                self._line(f"try: fill(t{root})")
                self._line("except NameError: pass  # not computed, or within a group")

    def _line(self, text: str) -> None:
        self.text.lines.append(_INDENT * (1 + self._open_blocks() + self.indent) + text)

    def _open_blocks(self) -> int:
        """Returns the number of open `if` blocks; the last one tests all remaining conditions."""
        return min(len(self.guard), _BLOCKS)

    def _enter_guard(self, guard: Guard) -> None:
        """Opens and closes `if` blocks so that the next line runs under `guard`."""
        if guard == self.guard:
            return
        self.in_use = ""
        common = 0
        while common < min(len(guard), len(self.guard)) and guard[common] == self.guard[common]:
            common += 1
        self.guard = self.guard[: min(common, _BLOCKS - 1)]
        while self.guard != guard:
            end = len(self.guard) + 1 if len(self.guard) < _BLOCKS - 1 else len(guard)
            opened_guards = guard[len(self.guard) : end]
            for depth, (predicate, _) in enumerate(opened_guards):
                self._check_predicate(predicate, opened_guards[:depth])
            self._line(f"if {self._join_guard(opened_guards)}:")
            self.guard = guard[:end]

    def _activate_device(self, device: str) -> None:
        """Emits a line that activates the node's device if the program uses several."""
        devices = self.program.devices
        if len(devices) > 1 and device in devices and device != self.in_use:
            self._line(f"{self.values.device(device)}.use()")
            self.in_use = device

    def _check_predicate(self, slot: int, guard: Guard = ()) -> None:
        """Emits a scalar check before the first branch on a predicate of unknown shape.

        `guard` is the condition for the predicate to be computed.
        """
        if self.values.is_scalar(slot) or slot in self.checked or slot not in self.program.switches:
            return
        self.checked.add(slot)
        self.values.names["check_predicate"] = check_predicate
        condition = f"if {self._join_guard(guard)}: " if guard else ""
        self._line(f"{condition}check_predicate({self.values.read(slot)})")
        self.text.node_of_line[len(self.text.lines)] = self.program.switches[slot]

    def _emit_by_kind(self, step: int, node: Node) -> None:
        if node.kind == "const":
            self.values.constants[node.outputs[0]] = self._constant_name(node)
        elif node.kind == "read":
            self._emit_read(node)
        elif node.kind == "view":
            self._line(sharing_line(self.calls, step, node))
        elif node.kind in ("copy", "send", "receive"):
            self._emit_transfer(node)
        elif node.kind == "alive":
            alive = [self._guard_text(g) for g in node.alternatives if g is not None]
            conditions = " or ".join(f"({condition})" for condition in alive)
            self._line(f"t{node.outputs[0]} = {conditions}")
        elif node.kind == "fused":
            self._emit_fused(node)
        elif node.kind == "updates":
            self._emit_updates(node)
        elif node.kind == "collective":
            self._emit_collective(node)
        elif node.kind == "while":
            self._emit_while(node)
        elif node.kind == "joined":
            self._emit_stacking(node)
        elif node.opdef.is_merge:
            self._emit_merge(node)
        elif node.opdef.makes_variable and None not in (node.attrs["shape"] or ()):
            cell = self.values.cell(node)
            self.values.cells[node.outputs[0]] = self.values.name("var_" + node.origin.name, cell)
        else:
            if node.opdef.makes_variable:
                self.values.cell(node)
            self._emit_call(step, node)

    def _emit_transfer(self, node: Node) -> None:
        device = self.values.device(node.device)
        call = {"copy": "upload", "send": "send", "receive": "receive"}[node.kind]
        arguments = self.values.read(node.inputs[0])
        if node.copied_from:
            call = "copy_from"
            arguments = f"{self.values.device(node.copied_from)}, {arguments}"
        self._line(f"t{node.outputs[0]} = {device}.{call}({arguments})")

    def _emit_read(self, node: Node) -> None:
        cell, slot = self.values.read(node.inputs[0]), node.outputs[0]
        if node.may_hold_array:
            self.values.names["current"] = current
            self._line(f"t{slot} = current({cell})")
            if self.values.is_scalar(slot) and slot not in self.program.memory:
                self.values.names["ndarray"] = np.ndarray
                self._line(f"if t{slot}.__class__ is ndarray: t{slot} = t{slot}[()]")
            return
        self._line(f"t{slot} = {cell}.array")
        self._line(f"if t{slot} is None: t{slot} = {cell}.read()")
        if self.values.is_scalar(slot) and slot not in self.program.memory:
            self._line(f"t{slot} = t{slot}[()]")

    def _guard_text(self, guard: Guard) -> str:
        for depth, (predicate, _) in enumerate(guard):
            self._check_predicate(predicate, guard[:depth])
        return self._join_guard(guard) or "True"

    def _join_guard(self, guard: Guard) -> str:
        return " and ".join(f"{'' if b else 'not '}{self.values.read(p)}" for p, b in guard)

    def _emit_merge(self, node: Node) -> None:
        """Emits the selection of the input whose branch ran."""
        value, index = node.outputs
        open_guards = set(node.guard)
        values, indices, conditions = [], [], []
        for i, (slot, guard) in enumerate(zip(node.inputs, node.alternatives)):
            if guard is not None:
                values.append(self.values.read(slot))
                indices.append(str(i))
                conditions.append(self._guard_text(tuple(g for g in guard if g not in open_guards)))
        self._line(f"t{value} = {first_true(values, conditions)}")
        if index in self.needed:
            self.values.names["int32"] = np.int32
            self._line(f"t{index} = int32({first_true(indices, conditions)})")

    def _emit_fused(self, node: Node) -> None:
        """Emits a group as one call, with its members as the fallback for unsuitable inputs."""
        group = node.members
        returns_tuple = len(node.outputs) > 1 and bool(group)
        result = "results" if returns_tuple else ", ".join(f"t{s}" for s in node.outputs)
        module = self.values.module(node)
        name = self.values.name("fused_" + node.origin.name, node.fused.evaluate)
        arguments = [self.values.array_operand(s) for s in node.inputs]
        if module is not np:
            arguments.insert(0, self.values.module_name(module))
        self._line(f"{result} = {name}({', '.join(arguments)})")
        if not group:
            return
        self._line(f"if {result} is None:")
        self.indent += 1
        for member in node.fused.parts or group:
            start = len(self.text.lines)
            ufunc = member.opdef.ufunc
            if member.kind == "fused":
                self._emit_fused(member)
            elif ufunc:
                arguments = [self.values.array_operand(s) for s in member.inputs]
                called = self.values.ufunc(module, ufunc)[0]
                self._line(f"t{member.outputs[0]} = {called}({', '.join(arguments)})")
            else:
                self._emit_call(_MEMBER, member)
                if node.fused.parts and member.opdef.view:
                    for slot in member.outputs:
                        self._line(f"t{slot} = copy(t{slot})")
            for line in range(start, len(self.text.lines)):
                self.text.node_of_line.setdefault(line + 1, member)
        inner = [f"t{s} = " for n in group for s in n.outputs if s not in node.outputs]
        if inner:
            self._line("".join(inner) + "None")
        self.indent -= 1
        if returns_tuple:
            self._line("else:")
            targets = ", ".join(f"t{s}" for s in node.outputs)
            self.indent += 1
            self._line(f"{targets} = results")
            self.indent -= 1
            self._line("results = None")

    def _emit_collective(self, node: Node) -> None:
        devices = [self.program.devices[name] for name in node.participants]
        reduced = devices[0].all_reduce(devices, node.attrs["reduction"])
        name = self.values.name("all_reduce", reduced)
        arrays = ", ".join(self.values.read(s) for s in node.inputs)
        self._line(f"{', '.join(f't{s}' for s in node.outputs)} = {name}(({arrays}))")

    def _emit_while(self, node: Node) -> None:
        """Emits a call of the loop's function."""
        name = f"loop{len(self.bodies)}"
        body = self._loop_emitter(node.loop, name)
        self.bodies.append(body.text)
        self.text.loops.append(name)
        body.write()
        results = "".join(f"t{s}, " for s in node.outputs)
        arguments = ", ".join(self.values.read(s) for s in node.inputs)
        self._line(f"{results + '= ' if results else ''}{name}({arguments})")
        self.text.calls.add(len(self.text.lines))
        self.in_use = ""

    def _loop_emitter(self, loop: Loop, name: str) -> LoopEmitter:
        """Returns the emitter for a loop's function."""
        return LoopEmitter(loop, self, name)

    def _emit_stacking(self, node: Node) -> None:
        dims = tuple(self.program.slots[slot].dims[1] for slot in node.outputs)  # type: ignore[index]
        self.values.names["joined"] = stack_matrices
        dtype = self.values.name("dtype", self.program.slots[node.outputs[0]].dtype.numpy)
        lists, targets = (
            "".join(f"t{s}, " for s in slots) for slots in (node.inputs, node.outputs)
        )
        module = self.values.module_name(self.values.module(node))
        self._line(f"{targets}= joined({module}, ({lists}), {dims}, {dtype})")

    def _emit_updates(self, node: Node) -> None:
        """Emits all updates in one call, with single updates as the fallback, which raise the exact error."""
        members, parts = node.members, node.updates.parts
        name = self.values.name("update_" + node.origin.name, node.updates.update)
        device = self.program.devices.get(node.device)
        module = "xp" if device is None else self.values.module_name(device.xp)
        variables = [
            f"({', '.join(self.values.read(s) for s in (*p.cells, p.gradient))})" for p in parts
        ]
        scalars = "".join(f"{self.values.read(s)}, " for s in parts[0].scalars)
        self._line(f"if not {name}({module}, ({', '.join(variables)},), ({scalars})):")
        self.indent += 1
        for member in members:
            self._emit_call(_MEMBER, member)
            self.text.node_of_line[len(self.text.lines)] = member
        self.indent -= 1
        for member in members:
            if self.needed.intersection(member.outputs):
                self._line(f"t{member.outputs[0]} = {self.values.read(member.inputs[0])}")

    def _emit_call(self, step: int, node: Node) -> None:
        call = self.calls.call(step, node)
        outputs = node.outputs
        if not outputs and not node.opdef.has_list_output:
            self._line(call)
        elif len(node.opdef.outputs) == 1 and not node.opdef.has_list_output:
            self._line(f"t{outputs[0]} = {call}")
        elif outputs:
            self._line(
                f"{', '.join(f't{s}' for s in outputs)}{',' if len(outputs) == 1 else ''} = {call}"
            )
        else:
            self._line(call)

    def _fetch_expression(self, index: int, slot: int) -> str:
        """Returns the expression of a fetched value."""
        text = self.values.read(slot)
        if self.program.slots[slot].dtype.is_quantized:
            return f"copy(quantized_to_integers({text}))"
        device = self.program.memory.get(slot)
        if device:
            if self._is_returnable(slot) or self.program.slots[slot].dtype._is_ref_dtype:
                return text  # remains a reference between the parts of a step
            self._activate_device(device)
            self._line(f"fetched{index} = {text}.copy()")
            origins = dict(zip(self.program.feeds, self.program.fed))
            origins.update({s: node.origin for node in self.program.nodes for s in node.outputs})
            copy = Node("copy", origins[slot], (slot,), (slot,))
            copy.device = device
            self.text.node_of_line[len(self.text.lines)] = copy
            return f"fetched{index}"
        if self.program.shares_fetches:
            return text
        if not self._is_returnable(slot):
            return f"copy({text})"
        dims = self.program.slots[slot].dims
        return text if dims is not None and len(dims) < 2 else f"row_major({text})"

    def _is_returnable(self, slot: int) -> bool:
        """Whether the plan may return the array without a copy: owned, whole, and fetched once."""
        base = self.ownership.base.get(slot)
        if base is None or slot not in self.ownership.whole or self.ownership.is_borrowed(slot):
            return False
        return not any(self.fetched[root] > 1 for root in base)


class LoopEmitter(Emitter):
    """Emits a loop's function, which maps the values entering the loop to the values leaving it."""

    def __init__(self, loop: Loop, outer: Emitter, name: str):
        super().__init__(loop.program, outer.values.resources, outer)
        self.loop = loop
        self.loop_invariants = set(loop.program.feeds[loop.variables :])
        self.text.lines.append(f"def {name}({', '.join(f't{s}' for s in loop.program.feeds)}):")

    def _begin_loop(self) -> None:
        """Hook for lines before the first iteration."""

    def _end_loop(self) -> None:
        """Hook for lines after the last iteration."""

    def write(self) -> None:
        predicate, *fetches = self.program.fetches
        count, end = self.loop.variables, len(fetches) - len(self.loop.collected)
        lists = [f"list{index}" for index in range(len(self.loop.collected))]
        if lists:
            self._line(f"{', '.join(lists)} = {', '.join(['[]'] * len(lists))}")
        self.values.names.update(
            hooks=LOOP_HOOKS, after_iteration=after_iteration, closed=self.values.resources.closed
        )
        self._begin_loop()
        self._line("while True:")
        self.indent = 1
        self._emit_nodes()
        self._line(f"if not {self.values.read(predicate)}: break")
        variables = [f"t{s}" for s in self.program.feeds[:count]]
        for name, slot in zip(lists, fetches[end:]):
            self._line(f"{name}.append({self.values.read(slot)})")
        if variables:
            self._line(
                f"{', '.join(variables)} = {', '.join(map(self.values.read, fetches[:count]))}"
            )
        self._line("if hooks or closed: after_iteration(closed)")
        self.indent = 0
        self._end_loop()
        results = [*(self.values.read(s) for s in fetches[count:end]), *lists]
        self._line(f"return ({', '.join(results)}{',' if len(results) == 1 else ''})")
