"""Arguments of layers with sliding windows, and convolutions set up in advance."""
