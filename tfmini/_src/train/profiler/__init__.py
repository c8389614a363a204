"""`tf.profiler`: totals of parameters, floating-point operations, time and memory over a graph's nodes.

flops      operation counts of nodes by type, from their static shapes
op_logs    known facts about a graph's nodes: operations, types
options    the displayed nodes and columns
nodes      statistics of each node, from the graph, an op log and step times
scopes     totals by name scope
kinds      totals by op type
profile_text    the report as text
profiler   `profile`, `Profiler`
"""
