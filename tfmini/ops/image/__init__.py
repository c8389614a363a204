"""Images: resizing, cropping, boxes, colours, flips, decoding and encoding, and what is composed of them."""
