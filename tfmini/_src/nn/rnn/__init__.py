"""Recurrent networks: cells, each of which is a layer, and the functions that apply a cell along time.

A cell maps (input, state) to (output, next state). `static_*` unrolls it in the graph, one copy a step; `dynamic_*`
and `raw_rnn` put one copy in a while loop. `tf.nn`, `tf.nn.rnn_cell` and `tf.contrib.rnn` offer what is here.
"""
