"""`tf.keras.applications`: ImageNet models, the inputs they expect and the meaning of their outputs.

    imagenet_model                       arguments, checks, input, top and files of weights, which all have
    vgg, residual, densenet ... an architecture each: its sizes and depths as a table, its blocks as functions
    imagenet_utils, preprocess_input   images as the weights were trained on them, names of classes

Names of layers and of weights are those of the published files.
"""
