"""Models: layer composition and training.

input_layer        inputs of models
map_graph_network        layers between inputs and outputs, in order
layer_container        networks as layer containers: weights, states, layers for added losses
network            networks as layers: construction and calls
network_config     conversion of networks to plain data and back
sequential         linear stacks of layers
outputs          outputs with targets, losses and weights
epoch_batches         number of batches per epoch in eager mode
compiled_model          losses, metrics and functions of models
standardize_arrays             user input as lists of arrays
training_arrays, training_generator  training loops
replicas           models under a distribution strategy
model              the public methods of models
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
