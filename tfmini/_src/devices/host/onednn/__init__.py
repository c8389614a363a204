"""float32 convolution, pooling, batch normalization and matrix products through oneDNN, if installed."""
