"""Windows that move over images: convolution, pooling and their gradients, for arrays [batch, sizes ..., depth]."""
