"""What converted code calls: each looks whether it has tensors, adds nodes then, and does as Python does otherwise."""
