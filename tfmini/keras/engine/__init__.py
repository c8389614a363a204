"""Models: layers that consist of layers, and how they are trained.

input_layer        where tensors come in
connections        which layers lie between inputs and outputs, and in which order
layered            a network as the layers in it: their weights and states
network            layers as one layer: how it is made and called
configurations     a network as plain data, and back
sequential         layers in a row
endpoints          an output with its target, loss and weights
compiling          losses, metrics and functions of a model
arrays             what users give, as lists of arrays
loops, generators  epochs of steps
model              the methods of a model
"""
