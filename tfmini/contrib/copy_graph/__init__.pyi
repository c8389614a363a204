from tfmini._src.contrib.copy_graph.copy_op_to_graph import copy_op_to_graph as copy_op_to_graph
from tfmini._src.contrib.copy_graph.copy_op_to_graph import copy_variable_to_graph as copy_variable_to_graph
from tfmini._src.contrib.copy_graph.copy_op_to_graph import get_copied_op as get_copied_op
