"""Length checks of the attr lists that describe features."""

from collections.abc import Iterator, Mapping
from typing import Any

from tfmini._src.graph.shape_inference import InferenceError


def check_equal_lengths(keys: str, count: int, **lists: Any) -> None:
    """Raises InferenceError for the first list whose length differs from the number of keys."""
    for name, values in lists.items():
        if len(values) != count:
            raise InferenceError(f"len({keys}) != len({name})")


def check_counted(feature_type: str, count: int, **lists: Any) -> None:
    """Raises InferenceError for all lists of a feature kind if the length of any is not `count`."""
    if any(len(values) != count for values in lists.values()):
        *first, last = (f"{name} ({len(values)})" for name, values in lists.items())
        sizes = f"{', '.join(first)} and {last}"
        raise InferenceError(f"num_{feature_type} ({count}) must match the size of {sizes}")


# The feature kinds of sequence records, and the attrs with their types.
_TYPES = {
    "context_sparse": "context_sparse_types",
    "context_dense": "Tcontext_dense",
    "feature_list_sparse": "feature_list_sparse_types",
    "feature_list_dense": "feature_list_dense_types",
}


def feature_lists(attrs: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns each feature kind of sequence records with its types and, for dense features, its shapes."""
    for feature_type, types in _TYPES.items():
        lists = {f"{feature_type}_types": attrs[types]}
        if feature_type.endswith("dense"):
            lists[f"{feature_type}_shapes"] = attrs[f"{feature_type}_shapes"]
        yield feature_type, lists
