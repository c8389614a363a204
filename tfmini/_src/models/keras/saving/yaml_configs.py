"""Converts model configurations to and from YAML; pyyaml is imported on first use."""

from __future__ import annotations

from typing import Any

import numpy as np

_TUPLE = "tag:yaml.org,2002:python/tuple"
_CALL = "tag:yaml.org,2002:python/object/apply:"
_CALL_OF_NUMPY_1, _CALL_OF_NUMPY_2 = (
    f"!!python/object/apply:{core}.multiarray." for core in ("numpy.core", "numpy._core")
)
_ARRAY_CLASS = "tag:yaml.org,2002:python/name:numpy.ndarray"
_MAX_VALUES = 1_000_000  # number of values, including repetitions by aliases


def yaml_library() -> Any:
    """Imports pyyaml."""
    try:
        import yaml  # type: ignore  # noqa: PLC0415
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
    return yaml


def to_yaml(config: Any, **kwargs: Any) -> Any:
    """Converts a configuration to YAML; `kwargs` are passed to `yaml.dump`. Older numpy releases can read the
    arrays in it.

    Raises:
      ImportError: if pyyaml is not installed.
    """
    text = yaml_library().dump(config, **kwargs)
    return text.replace(_CALL_OF_NUMPY_2, _CALL_OF_NUMPY_1) if isinstance(text, str) else text


def from_yaml(text: str) -> Any:
    """Parses YAML to plain data, tuples, and numpy arrays and scalars; executes no code.

    Raises:
      ValueError: if aliases expand to more than a million values, or an array is damaged.
      yaml.constructor.ConstructorError: for tags of other objects.
    """
    yaml = yaml_library()

    class Loader(yaml.SafeLoader):  # type: ignore
        pass

    Loader.add_constructor(
        _TUPLE, lambda loader, node: tuple(loader.construct_sequence(node, deep=True))
    )
    for core in ("numpy.core", "numpy._core"):
        Loader.add_constructor(f"{_CALL}{core}.multiarray._reconstruct", _array)
        Loader.add_constructor(f"{_CALL}{core}.multiarray.scalar", _numpy_scalar)
    Loader.add_constructor(_CALL + "numpy.dtype", _dtype)
    Loader.add_constructor(_ARRAY_CLASS, lambda loader, node: None)
    loader = Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _expanded_size(node, {}) > _MAX_VALUES:
            raise ValueError(f"The YAML aliases expand to more than {_MAX_VALUES} values.")
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _dtype(loader: Any, node: Any) -> np.dtype:
    """Creates a dtype from a YAML node with its code and byte order."""
    fields = loader.construct_mapping(node, deep=True)
    order = fields["state"][1]
    dtype = np.dtype(fields["args"][0])
    return dtype if order == "|" else dtype.newbyteorder(order)


def _array(loader: Any, node: Any) -> np.ndarray:
    """Creates an array from a YAML node with its shape, dtype, order and bytes."""
    fields = loader.construct_mapping(node, deep=True)
    _, shape, dtype, is_by_columns, content = fields["state"]
    return np.frombuffer(content, dtype).reshape(shape, order="F" if is_by_columns else "C")


def _numpy_scalar(loader: Any, node: Any) -> Any:
    dtype, content = loader.construct_sequence(node, deep=True)
    return np.frombuffer(content, dtype)[0]


def _expanded_size(node: Any, sizes: dict[int, float]) -> float:
    """Returns the number of values in a node with aliases expanded; infinite for recursive nodes."""
    if id(node) not in sizes:
        sizes[id(node)] = float("inf")
        parts = [] if isinstance(node.value, str) else node.value
        flat = [child for part in parts for child in (part if isinstance(part, tuple) else (part,))]
        sizes[id(node)] = 1 + sum(_expanded_size(child, sizes) for child in flat)
    return sizes[id(node)]
