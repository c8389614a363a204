"""Neural networks: layers, recurrent cells and their unrolling, losses, metrics, CTC.

The ops themselves are in `ops/nn`; this package creates variables and composes ops. Keras builds on `layers`.
May import `session` and lower layers. Start with `layers/base_layer.py`.
"""
