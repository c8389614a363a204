"""`tf.graph_util`: prunes and freezes GraphDefs.

The functions operate on messages; only `import_graph_def` adds nodes to a graph.
"""
