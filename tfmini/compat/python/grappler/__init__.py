"""`tensorflow.python.grappler`: optimization of graphs outside of sessions."""
