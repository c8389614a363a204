"""Run-time state: resource containers and cancellation of steps."""
