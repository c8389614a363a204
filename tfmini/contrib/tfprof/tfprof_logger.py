"""tf.contrib.tfprof.tfprof_logger: `write_op_log` by its older name."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.profiles.op_logs import write_op_log

__all__ = ["write_op_log"]

_namespace(globals())
