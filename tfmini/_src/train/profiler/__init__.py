"""`tf.profiler`: parameters, floating-point operations, time and memory of a graph's nodes.

flops      operation counts of nodes by op type, from static shapes
op_logs    additional node information: operations, types
options    the displayed nodes and columns
nodes      statistics of each node, from the graph, an op log and step times
scopes     totals by name scope
kinds      totals by op type
profile_text    the report as text
profiler   `profile`, `Profiler`
"""
