"""Ops that TensorFlow registers for its own graph tests: signatures of all kinds, with few kernels.

They are declared when a graph first requests an unknown op, so other programs incur no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph import op_registry
from tfmini._src.graph.literals import make_literal
from tfmini._src.graph.opdef import Attr, op

_FRUIT = ("apples", "oranges")
_TEXT_OR_TRUTH = (dtypes.string, dtypes.bool)

_SIGNATURES: Mapping[str, str] = {
    "A": "-> out: float32",
    "Attr": "->",
    "AttrBool": "->",
    "AttrBoolList": "->",
    "AttrDefault": "->",
    "AttrEmptyListDefault": "->",
    "AttrEnum": "->",
    "AttrEnumList": "->",
    "AttrFloat": "->",
    "AttrListDefault": "->",
    "AttrListMin": "->",
    "AttrListTypeDefault": "a: N*T, b: N*T ->",
    "AttrMin": "->",
    "AttrPartialShape": "->",
    "AttrPartialShapeList": "->",
    "AttrShape": "->",
    "AttrShapeList": "->",
    "AttrTypeDefault": "a: T ->",
    "B": "-> out: float32",
    "Binary": "a: T, b: T -> out: T",
    "ComplexStruct": "-> a: n_a*int32, b: n_b*int64, c: t_c",
    "CopyOp": "a: T -> b: T",
    "DefaultAttrs": "->",
    "FiveFloatOutputs": "-> a: float32, b: float32, c: float32, d: float32, e: float32",
    "FloatInput": "a: float32 ->",
    "FloatOutput": "-> a: float32",
    "FloatOutputStringOutput": "-> a: float32, b: string",
    "Foo1": "a: float32, b: int32, c: int32 -> d: float32, e: int32",
    "Foo2": "a: float32, b: string, c: string -> d: float32, e: int32",
    "Foo3": "a: float32, b: string, c: float32 -> d: float32, e: int32",
    "FuncAttr": "->",
    "InPolymorphicTwice": "a: N*T, b: M*T ->",
    "Int64Output": "-> out: int64",
    "IntAttr": "-> out: int64",
    "IntInput": "a: int32 ->",
    "IntInputFloatInput": "a: int32, b: float32 ->",
    "IntInputIntOutput": "a: int32 -> b: int32",
    "IntOutput": "-> a: int32",
    "IntOutputFloatOutput": "-> a: int32, b: float32",
    "KernelLabel": "-> result: string",
    "KernelLabelRequired": "input: int32 -> result: string",
    "ListInput": "a: N*T ->",
    "ListOutput": "-> a: T",
    "MixedStruct": "-> a: n_a*int32, b: float32",
    "NInPolymorphicTwice": "a: N*T, b: N*T ->",
    "NInTwice": "a: N*int32, b: N*string ->",
    "NInTwoTypeVariables": "a: N*S, b: N*T ->",
    "NIntsIn": "a: N*int32 ->",
    "NIntsOut": "-> a: N*int32",
    "NIntsOutDefault": "-> a: N*int32",
    "NPolymorphicIn": "a: N*T ->",
    "NPolymorphicOut": "-> a: N*T",
    "NPolymorphicOutDefault": "-> a: N*T",
    "NPolymorphicRestrictIn": "a: N*T ->",
    "NPolymorphicRestrictOut": "-> a: N*T",
    "None": "->",
    "OpWithDefaultAttr": "-> a: int32",
    "OpWithFutureDefaultAttr": "->",
    "OutT": "-> a: T",
    "OutTypeList": "-> out: T",
    "OutTypeListRestrict": "-> out: t",
    "Polymorphic": "a: T -> out: T",
    "PolymorphicDefaultOut": "-> out: T",
    "PolymorphicOut": "-> out: T",
    "RefIn": "a: Ref(T) ->",
    "RefInputFloatInput": "a: Ref(float32), b: float32 ->",
    "RefInputFloatInputIntOutput": "a: Ref(float32), b: float32 -> c: int32",
    "RefInputIntInput": "a: Ref(int32), b: int32 ->",
    "RefOut": "-> a: Ref(T)",
    "RefOutput": "-> a: Ref(int32)",
    "RefOutputFloatOutput": "-> a: Ref(float32), b: float32",
    "ReservedAttr": "->",
    "ReservedInput": "input: int32 ->",
    "Restrict": "a: T -> out: T",
    "Simple": "a: int32 -> out: float32",
    "SimpleStruct": "-> a: n_a*int32",
    "StringListAttr": "->",
    "TestStringOutput": "input: float32 -> output1: float32, output2: string",
    "TwoFloatInputs": "a: float32, b: float32 ->",
    "TwoFloatInputsFloatOutput": "a: float32, b: float32 -> c: float32",
    "TwoFloatInputsIntOutput": "a: float32, b: float32 -> c: int32",
    "TwoFloatOutputs": "-> a: float32, b: float32",
    "TwoIntInputs": "a: int32, b: int32 ->",
    "TwoIntOutputs": "-> a: int32, b: int32",
    "TwoRefsIn": "a: Ref(T), b: Ref(T) ->",
    "TypeList": "a: T ->",
    "TypeListRestrict": "a: T ->",
    "TypeListTwice": "a: T, b: T ->",
    "Unary": "a: T -> b: T",
}

_ATTRS: Mapping[str, dict[str, Any]] = {
    "Attr": {"a": Attr("int")},
    "StubResourceHandleOp": {"container": "", "shared_name": ""},
    "AttrBool": {"a": Attr("bool")},
    "AttrBoolList": {"a": Attr("list(bool)")},
    "AttrDefault": {"a": Attr("string", "banana")},
    "AttrEmptyListDefault": {"a": Attr("list(float)", ())},
    "AttrEnum": {"a": Attr("string", allowed=_FRUIT)},
    "AttrEnumList": {"a": Attr("list(string)", allowed=_FRUIT)},
    "AttrFloat": {"a": Attr("float")},
    "AttrListDefault": {"a": Attr("list(int)", (5, 15))},
    "AttrListMin": {"a": Attr("list(int)", minimum=2)},
    "AttrListTypeDefault": {"T": Attr("type", dtypes.int32), "N": Attr("int", minimum=1)},
    "AttrMin": {"a": Attr("int", minimum=5)},
    "AttrPartialShape": {"a": Attr("shape")},
    "AttrPartialShapeList": {"a": Attr("list(shape)")},
    "AttrShape": {"a": Attr("shape")},
    "AttrShapeList": {"a": Attr("list(shape)")},
    "AttrTypeDefault": {"T": Attr("type", dtypes.int32)},
    "Binary": {"T": Attr("type")},
    "ComplexStruct": {
        "n_a": Attr("int", minimum=0),
        "n_b": Attr("int", minimum=0),
        "t_c": Attr("list(type)", minimum=0),
    },
    "CopyOp": {"T": Attr("type")},
    "DefaultAttrs": {
        "string_val": Attr("string", "abc"),
        "string_list_val": Attr("list(string)", ("abc", "")),
        "int_val": Attr("int", 123),
        "int_list_val": Attr("list(int)", (1, 2, 3)),
        "float_val": Attr("float", 10.0),
        "float_list_val": Attr("list(float)", (10.0,)),
        "bool_val": Attr("bool", True),
        "bool_list_val": Attr("list(bool)", (True, False)),
        "type_val": Attr("type", dtypes.int32),
        "type_list_val": Attr("list(type)", (dtypes.int32, dtypes.float32)),
        "shape_val": Attr("shape", TensorShape([2, 1])),
        "shape_list_val": Attr("list(shape)", (TensorShape([]), TensorShape([1]))),
        "tensor_val": Attr("tensor", make_literal(1)),
        "tensor_list_val": Attr("list(tensor)", (make_literal(1),)),
    },
    "FuncAttr": {"f": Attr("func")},
    "InPolymorphicTwice": {
        "T": Attr("type"),
        "N": Attr("int", minimum=0),
        "M": Attr("int", minimum=0),
    },
    "IntAttr": {"foo": Attr("int", 1)},
    "ListInput": {"N": Attr("int", minimum=1), "T": Attr("type")},
    "ListOutput": {"T": Attr("list(type)", minimum=1)},
    "MixedStruct": {"n_a": Attr("int", minimum=0)},
    "NInPolymorphicTwice": {"T": Attr("type"), "N": Attr("int", minimum=0)},
    "NInTwice": {"N": Attr("int", minimum=0)},
    "NInTwoTypeVariables": {"S": Attr("type"), "T": Attr("type"), "N": Attr("int", minimum=0)},
    "NIntsIn": {"N": Attr("int", minimum=2)},
    "NIntsOut": {"N": Attr("int", minimum=2)},
    "NIntsOutDefault": {"N": Attr("int", 3, minimum=2)},
    "NPolymorphicIn": {"T": Attr("type"), "N": Attr("int", minimum=2)},
    "NPolymorphicOut": {"T": Attr("type"), "N": Attr("int", minimum=2)},
    "NPolymorphicOutDefault": {"T": Attr("type", dtypes.bool), "N": Attr("int", 2, minimum=2)},
    "NPolymorphicRestrictIn": {
        "T": Attr("type", allowed=_TEXT_OR_TRUTH),
        "N": Attr("int", minimum=2),
    },
    "NPolymorphicRestrictOut": {
        "T": Attr("type", allowed=_TEXT_OR_TRUTH),
        "N": Attr("int", minimum=2),
    },
    "OpWithDefaultAttr": {"default_float": Attr("float", 123.0)},
    "OutT": {"T": Attr("type")},
    "OutTypeList": {"T": Attr("list(type)", minimum=0)},
    "OutTypeListRestrict": {"t": Attr("list(type)", minimum=1, allowed=_TEXT_OR_TRUTH)},
    "Polymorphic": {"T": Attr("type")},
    "PolymorphicDefaultOut": {"T": Attr("type", dtypes.string)},
    "PolymorphicOut": {"T": Attr("type")},
    "RefIn": {"T": Attr("type")},
    "RefOut": {"T": Attr("type")},
    "ReservedAttr": {"range": Attr("int")},
    "Restrict": {"T": Attr("type", allowed=_TEXT_OR_TRUTH)},
    "SimpleStruct": {"n_a": Attr("int", minimum=0)},
    "StringListAttr": {"a": Attr("list(string)"), "b": Attr("string")},
    "TwoRefsIn": {"T": Attr("type")},
    "TypeList": {"T": Attr("list(type)", minimum=0)},
    "TypeListRestrict": {"T": Attr("list(type)", minimum=1, allowed=_TEXT_OR_TRUTH)},
    "TypeListTwice": {"T": Attr("list(type)", minimum=0)},
    "Unary": {"T": Attr("type")},
}


_STATEFUL: Mapping[str, str] = {
    "GraphDefVersion": "-> version: int32",
    "ResourceCreateOp": "resource: resource ->",
    "ResourceInitializedOp": "resource: resource -> initialized: bool",
    "ResourceUsingOp": "resource: resource ->",
    "StubResourceHandleOp": "-> resource: resource",
}


TYPES = (*_SIGNATURES, *_STATEFUL)


def _no_kernel(xp):
    """Is never called, because `only_on_gpus` makes sessions raise the error for a missing kernel."""
    raise NotImplementedError


def _label(ctx: Any) -> bytes:
    """Returns the label of the kernel to run, from the graph's `_kernel_label_map` when the node was created."""
    return f"My label is: {ctx.op.attrs.get('_kernel') or 'default'}".encode()


def _graph_def_version(ctx: Any) -> np.int32:
    """Returns the GraphDef version of the graph that contains the op."""
    return np.int32(ctx.op.graph.graph_def_versions.producer)


_KERNELS: Mapping[str, Callable[..., Any]] = {
    "GraphDefVersion": _graph_def_version,
    "KernelLabel": _label,
}


def _declare() -> None:
    for name, signature in {**_SIGNATURES, **_STATEFUL}.items():
        kernel = _KERNELS.get(name, _no_kernel)
        opdef = op(name, signature, stateful=name in _STATEFUL, **_ATTRS.get(name, {}))(kernel)
        if kernel is _no_kernel:
            opdef.device_only = True
        else:
            opdef.infer(lambda op: [TensorShape([])])


op_registry.registry.declare_later(TYPES, _declare)
