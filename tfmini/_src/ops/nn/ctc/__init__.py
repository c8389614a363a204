"""Connectionist temporal classification: the loss, its gradient, decoders."""
