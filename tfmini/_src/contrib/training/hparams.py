"""Hyperparameters: named values of fixed types, read from strings, JSON and dicts."""

from __future__ import annotations

import json
import numbers
import re
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.tensor import TensorLike

_ASSIGNMENT = re.compile(
    r"""
    (?P<name>[a-zA-Z][\w.]*) (\[\s*(?P<index>\d+)\s*\])? \s*=\s*
    ( (?P<one>[^,\[]*) | \[(?P<many>[^\]]*)\] )
    ($ | ,\s*)
    """,
    re.VERBOSE,
)


def _bool(text: str) -> bool:
    if text in ("true", "True"):
        return True
    return text not in ("false", "False") and bool(int(text))


def _parse_value(name: str, value_type: type, text: str, values: str) -> Any:
    try:
        return (_bool if value_type is bool else value_type)(text)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{value_type.__name__}' with value '{text}' in {values}"
        ) from None


def _parse_list(name: str, value_type: type, text: str, values: str) -> list:
    parse = _bool if value_type is bool else value_type
    try:
        return [parse(part) for part in re.split("[ ,]", text) if part]
    except ValueError:
        return [_parse_value(name, value_type, text, values)]  # key of the whole list


def parse_values(
    values: str, type_map: dict[str, type], ignore_unknown: bool = False
) -> dict[Any, Any]:
    """Parses "name=value,other=[1,2],third[1]=x".

    Args:
      values: the text.
      type_map: type per name; for lists, the element type.
      ignore_unknown: whether to ignore unknown names.

    Returns:
      A dict from name to value, list, or dict from index to value.

    Raises:
      ValueError: for syntax errors, unknown names, and duplicate names.
    """
    parsed: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if match is None:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name, index = match["name"], match["index"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        twice = ValueError(f"Multiple assignments to variable '{name}' in {values}")
        if match["one"] is None:
            if index is not None:
                raise ValueError("Assignment of a list to a list index.")
            if name in parsed:
                raise twice
            parsed[name] = _parse_list(name, type_map[name], match["many"], values)
            continue
        value = _parse_value(name, type_map[name], match["one"], values)
        if index is None:
            if name in parsed:
                raise twice
            parsed[name] = value
            continue
        if not isinstance(parsed.setdefault(name, {}), dict):
            raise twice
        if int(index) in parsed[name]:
            raise ValueError(f"Multiple assignments to variable '{name}[{int(index)}]' in {values}")
        parsed[name][int(index)] = value
    return parsed


def _cast(name: str, param_type: type, value: Any) -> Any:
    """Casts a value to a hyperparameter's type; the only conversion is from integer to float."""
    if type(value) is param_type or param_type is type(None):
        return value
    fits = issubclass(param_type, bool) == isinstance(value, bool)
    for family in ((str, bytes), numbers.Integral, numbers.Number):
        fits = fits and (not issubclass(param_type, family) or isinstance(value, family))
    if not fits:
        raise ValueError(
            f"Could not cast hparam '{name}' of type '{param_type}' from value {value!r}"
        )
    return param_type(value)


def _kind_of_field(value_type: type, is_list: bool) -> str:
    """Returns the field of HParamDef's oneof for a type."""
    names = ((bool, "bool"), (int, "int64"), ((str, bytes), "bytes"), (float, "float"))
    for types, name in names:
        if issubclass(value_type, types):
            return f"{name}_{'list' if is_list else 'value'}"
    raise ValueError(f"Unsupported parameter type: {value_type}")


def _as_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _as_text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


class HParams:
    """Hyperparameters stored as attributes.

    The first value determines the type: floats also accept integers, None accepts anything. A list is a hyperparameter
    with several values of one type.

    Args:
      hparam_def: an HParamDef with the values.
      model_structure: arbitrary object stored with the hyperparameters.
      kwargs: hyperparameters by name.

    Raises:
      AssertionError: if `hparam_def` has the wrong type.
      ValueError: for both a message and values, a method name, or an empty list.

    Example:
      hparams = tf.contrib.training.HParams(learning_rate=0.1, units=[100, 50])
      hparams.parse("learning_rate=0.01,units=[64,64]")
      hparams.learning_rate  # 0.01
    """

    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def: object = None, model_structure: object = None, **kwargs: Any):
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if not hparam_def:
            for name, value in kwargs.items():
                self.add_hparam(name, value)
            return
        if not isinstance(hparam_def, proto.HParamDef):
            raise AssertionError(f"hparam_def is not an HParamDef: {hparam_def!r}")
        for name, value in hparam_def.hparam.items():
            field = value.WhichOneof("kind")
            field_value = getattr(value, field)
            is_list = field.endswith("_list")
            self.add_hparam(
                name, [_as_text(v) for v in field_value.value] if is_list else _as_text(field_value)
            )
        if kwargs:
            raise ValueError("hparam_def and initialization values are mutually exclusive")

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter, whose type is the type of its value or first element.

        Raises:
          ValueError: if the name exists, or for an empty list.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, list | tuple)
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0] if is_list else value), is_list)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: TensorLike) -> None:
        """Sets the value of a hyperparameter.

        Raises:
          KeyError: for an unknown name.
          ValueError: if the value has the wrong type, or only one of old and new value is a list.
        """
        value_type, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_cast(name, value_type, v) for v in value])
            return
        if is_list:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        setattr(self, name, _cast(name, value_type, value))

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter, if it exists."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets hyperparameters from a string, "name=value,other=[1,2]"; returns this object.

        Raises:
          ValueError: for syntax errors and unknown names.
        """
        types = {name: value_type for name, (value_type, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, types))

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Sets hyperparameters from a dict; returns this object. Raises the errors of `set_hparam`."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    @deprecated(None, "Use `override_from_dict`.")
    def set_from_map(self, values_map: dict[str, Any]) -> HParams:
        """Calls `override_from_dict` under an older name."""
        return self.override_from_dict(values_dict=values_map)

    def set_model_structure(self, model_structure: object) -> None:
        """Stores a model structure with the hyperparameters."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """Returns the stored model structure."""
        return self._model_structure

    def to_json(
        self,
        indent: int | str | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        """Returns the hyperparameters as JSON; takes the arguments of `json.dumps`."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Sets hyperparameters from a JSON object; returns this object. Raises the errors of `set_hparam`."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Returns all values by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: object = None) -> Any:
        """Returns the value of a hyperparameter, or `default` if unknown.

        Raises:
          ValueError: if `default` and the hyperparameter differ in type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key: str, default: Any) -> None:
        value_type, is_list = self._hparam_types[key]
        title = f"list<{value_type}>" if is_list else str(value_type)
        problem = f"Hparam '{key}' of type '{title}' is incompatible with default={default}"
        if is_list != isinstance(default, list):
            raise ValueError(problem)
        try:
            for value in default if is_list else [default]:
                _cast(key, value_type, value)
        except ValueError as error:
            raise ValueError(f"{problem}. {error}") from None

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns the hyperparameters as an HParamDef.

        Raises:
          ValueError: for a type unsupported by the message.
        """
        message = proto.HParamDef()
        for name, (value_type, is_list) in self._hparam_types.items():
            field, value = _kind_of_field(value_type, is_list), getattr(self, name)
            if is_list:
                entry = getattr(message.hparam[name], field)
                entry.value.extend([_as_bytes(v) for v in value])
            else:
                setattr(message.hparam[name], field, _as_bytes(value))
        return message

    @staticmethod
    def from_proto(hparam_def: object, import_scope: str | None = None) -> HParams:
        """Returns the hyperparameters in an HParamDef."""
        return HParams(hparam_def=hparam_def)


register_proto_function("hparams", "HParamDef", HParams.to_proto, HParams.from_proto)
