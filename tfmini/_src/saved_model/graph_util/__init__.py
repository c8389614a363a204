"""`tf.graph_util`: prunes and freezes GraphDefs.

The functions work on messages and add nothing to a graph, except `import_graph_def`.
"""
