"""Side effects of `import tfmini`: import order, lazily loaded names."""
