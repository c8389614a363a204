"""Heads: what becomes of a model's logits, from the loss to the exported signatures.

checks, measures    labels, logits and weights brought into shape; metrics
head                what all heads share
classes, numbers, labels    several classes or two, numbers, classes that do not exclude each other
several             heads side by side
"""
