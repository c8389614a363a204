"""Arguments of layers with sliding windows, and convolutions prepared for them."""
