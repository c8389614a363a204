"""Models: composition of layers, and their training.

input_layer        the entry point of tensors
map_graph_network        the layers between inputs and outputs, in order
layer_container        a network as a container of layers: their weights and states, and layers of added losses
network            layers as one layer: construction and calls
network_config     a network as plain data, and back
sequential         layers in a row
outputs          an output with its target, loss and weights
batches_of_epoch         number of batches per epoch in eager mode
compiled_model          losses, metrics and functions of a model
standardize_arrays             user input as lists of arrays
training_arrays, training_generator  epochs of steps
replicas           models under a distribution strategy
model              the methods of a model
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
