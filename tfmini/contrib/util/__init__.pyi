from tfmini import get_static_value as _constant_value; constant_value = _constant_value
from tfmini import make_ndarray as make_ndarray
from tfmini import make_tensor_proto as make_tensor_proto
from tfmini._src.train.meta_graph.stripped_op_list import ops_used_by_graph_def as ops_used_by_graph_def
from tfmini._src.train.meta_graph.stripped_op_list import stripped_op_list_for_graph as stripped_op_list_for_graph
