"""Heads: compute the loss, metrics and exported signatures from a model's logits.

checks, metrics    labels, logits and weights brought into shape; metrics head                base of all heads
classification_heads, regression_head, multi_label_head    several classes or two, numbers, classes that do not
exclude each other multi_head             heads side by side
"""
