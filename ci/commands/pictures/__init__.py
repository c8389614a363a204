"""Pictures of TensorBoard's views of what tfmini writes, taken by a headless browser."""
