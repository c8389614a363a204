"""`tf.keras.preprocessing`: sequences, text and images as arrays.

`sequence` pads and pairs, `text` numbers words, `image` reads, distorts and batches images.
"""
