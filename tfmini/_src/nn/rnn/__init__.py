"""Recurrent networks: cells, which are layers, and functions that unroll a cell along time.

A cell maps (input, state) to (output, next state). `static_*` unrolls it in the graph, one copy per step; `dynamic_*`
and `raw_rnn` run one copy in a while loop. Exported through `tf.nn`, `tf.nn.rnn_cell` and `tf.contrib.rnn`.
"""
