"""`tf.autograph.experimental`: what AutoGraph rewrites, what it leaves, and options of loops."""

from tfmini.autograph.conversions import do_not_convert
from tfmini.autograph.directives import set_loop_options
from tfmini.autograph.options import Feature
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["Feature", "do_not_convert", "set_loop_options"]

_namespace(globals())
