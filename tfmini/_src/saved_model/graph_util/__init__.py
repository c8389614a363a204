"""`tf.graph_util`: GraphDefs cut down to what is needed, with values in place of variables.

All of it works on messages and adds nothing to a graph, but `import_graph_def`.
"""
