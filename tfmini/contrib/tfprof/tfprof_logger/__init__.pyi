from tfmini.profiler import write_op_log as write_op_log
