"""`tf.autograph.experimental`: what functions that AutoGraph would rewrite say about it."""

from tfmini.functions.directives import Feature, do_not_convert, set_loop_options
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["Feature", "do_not_convert", "set_loop_options"]

_namespace(globals())
