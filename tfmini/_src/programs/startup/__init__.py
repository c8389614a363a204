"""Side effects of `import tfmini`: loading in order, names that load late."""
