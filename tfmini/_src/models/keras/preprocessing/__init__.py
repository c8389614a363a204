"""`tf.keras.preprocessing`: sequences, text and images as arrays.

`sequence` pads sequences and forms pairs, `text` maps words to indices, `image` reads, augments and batches images.
"""
