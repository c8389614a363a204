"""Display of a graph's objects in notebooks: HTML for `_repr_html_`, whose modules are loaded when one is shown."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
