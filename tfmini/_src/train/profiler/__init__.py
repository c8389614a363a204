"""`tf.profiler`: totals of parameters, floating-point operations, time and memory over a graph's nodes.

flops      how many operations nodes of a type take, by their static shapes
op_logs    known facts about a graph's nodes: operations, types
options    the displayed nodes and columns
nodes      the numbers of each node, from the graph, an op log and the times of steps
scopes     added up by name scopes
kinds      added up by the types of ops
profile_text    the report as text
profiler   `profile`, `Profiler`
"""
