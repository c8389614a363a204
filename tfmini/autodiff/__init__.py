"""Reverse-mode differentiation by building more graph: `gradients` walks back from ys to xs, node by node.

`registry` says which rule a node has, `reach` which nodes lie between, `aggregation` sums what arrives at a tensor. Rules stand
beside their ops; this package reaches ops only through the namespaces of `tfmini.graph`.
"""
