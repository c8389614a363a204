"""Networks: layers, recurrent cells and their unrolling, losses, metrics, CTC.

The ops themselves are in `ops/nn`; what stands here makes variables or composes many ops. Keras stands on `layers`.
It imports `session` and what lies below. Begin with `layers/layer.py`.
"""
