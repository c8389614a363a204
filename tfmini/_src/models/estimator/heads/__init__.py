"""Heads, which compute the loss, metrics and exported signatures from a model's logits.

checks                 validation of labels, logits and weights
metrics                metrics
head                   base class of heads
classification_heads   binary and multi-class classification
regression_head        regression
multi_label_head       non-exclusive classes
multi_head             several heads
"""
