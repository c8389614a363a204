"""`tf.keras.applications`: ImageNet models, their input preprocessing and output decoding.

    imagenet_model                       arguments, checks, input, top and files of weights, which all have
    vgg, residual, densenet ... an architecture each: its sizes and depths as a table, its blocks as functions
    imagenet_utils, preprocess_input   images as the weights were trained on them, names of classes

Layer and weight names match the published files.
"""
