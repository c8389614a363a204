"""Parameters in the style of scikit-learn."""

from __future__ import annotations

from typing import Any


class Parameters:
    """Base class of objects whose public attributes are their parameters."""

    def __repr__(self) -> str:
        params = self.get_params(deep=False)
        return f"{type(self).__name__}({', '.join(f'{key}={params[key]}' for key in params)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Returns the parameters by name.

        Args:
          deep: whether to include nested parameters, as "name__parameter".
        """
        params: dict[str, Any] = {}
        for name, value in vars(self).items():
            if name.startswith("_") or callable(value):
                continue
            if deep and hasattr(value, "get_params"):
                inner = value.get_params()
                params.update({f"{name}__{key}": inner_value for key, inner_value in inner.items()})
            params[name] = value
        return params

    def set_params(self, **params: Any) -> Any:
        """Sets parameters and returns the object.

        Args:
          **params: values by name.

        Raises:
          ValueError: for an unknown parameter.
        """
        current = self.get_params(deep=True)
        for name, value in params.items():
            owner, _, inner = name.partition("__")
            if owner not in current:
                where = self if inner else type(self).__name__
                raise ValueError(
                    f"Invalid parameter {owner} for estimator {where}. Check the list of available parameters with "
                    "`estimator.get_params().keys()`."
                )
            if inner:
                current[owner].set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self
