"""Arguments of layers that slide windows over their inputs, and convolutions prepared for them."""
