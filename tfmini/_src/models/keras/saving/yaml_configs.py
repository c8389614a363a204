"""Configurations of models in YAML; pyyaml is imported on first use."""

from __future__ import annotations

from typing import Any

_TUPLE = "tag:yaml.org,2002:python/tuple"
_MOST = 1_000_000  # values, with those that aliases repeat


def yaml_library() -> Any:
    """The module pyyaml.

    Raises:
      ImportError: if it is not installed.
    """
    try:
        import yaml  # type: ignore  # noqa: PLC0415
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
    return yaml


def from_yaml(text: str) -> Any:
    """The plain data in YAML, tuples included; no code in it is run.

    Raises:
      ValueError: aliases make more than a million values of it.
      yaml.constructor.ConstructorError: it has tags of other objects.
    """
    yaml = yaml_library()

    class Loader(yaml.SafeLoader):  # type: ignore
        pass

    Loader.add_constructor(
        _TUPLE, lambda loader, node: tuple(loader.construct_sequence(node, deep=True))
    )
    loader = Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _size(node, {}) > _MOST:
            raise ValueError(f"The aliases in the YAML make more than {_MOST} values of it.")
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _size(node: Any, known: dict[int, float]) -> float:
    """Number of values in a node, each alias expanded; infinite if the node contains itself."""
    if id(node) not in known:
        known[id(node)] = float("inf")
        parts = [] if isinstance(node.value, str) else node.value
        flat = [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
        known[id(node)] = 1 + sum(_size(one, known) for one in flat)
    return known[id(node)]
