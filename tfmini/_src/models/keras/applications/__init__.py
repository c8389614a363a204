"""`tf.keras.applications`: ImageNet models, input preprocessing and output decoding.

    imagenet_model                       shared arguments, checks, input, top and weight files
    vgg, residual, densenet ... one architecture each: sizes and depths in a table, blocks as functions
    imagenet_utils, preprocess_input   image preprocessing, class names

Layer and weight names match the published files.
"""
