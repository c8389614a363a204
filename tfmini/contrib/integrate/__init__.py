"""`tf.contrib.integrate`: ordinary differential equations, integrated with steps that adapt or that are given."""

from tfmini.contrib.integrate.adaptive import odeint
from tfmini.contrib.integrate.fixed import odeint_fixed
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["odeint", "odeint_fixed"]

_namespace(globals())
