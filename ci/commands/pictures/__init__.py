"""Screenshots of TensorBoard's views of tfmini's output, taken by a headless browser."""
