"""`tf.contrib.slim.utils`: outputs in collections by name, predicates known early, sizes."""

from tfmini.contrib.layers.named_outputs import (
    NamedOutputs,
    append_tensor_alias,
    channel_dimension,
    collect_named_outputs,
    constant_value,
    convert_collection_to_dict,
    gather_tensors_aliases,
    get_tensor_aliases,
    get_variable_collections,
    last_dimension,
    n_positive_integers,
    smart_cond,
    static_cond,
    two_element_tuple,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "NamedOutputs",
    "append_tensor_alias",
    "channel_dimension",
    "collect_named_outputs",
    "constant_value",
    "convert_collection_to_dict",
    "gather_tensors_aliases",
    "get_tensor_aliases",
    "get_variable_collections",
    "last_dimension",
    "n_positive_integers",
    "smart_cond",
    "static_cond",
    "two_element_tuple",
]

_namespace(globals())
