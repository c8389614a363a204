"""CTC losses composed of graph ops and functions: dense labels, the forward-backward algorithm."""
