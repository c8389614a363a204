"""Connectionist temporal classification: the loss, its gradient, and decoders."""
