"""TensorFlow 1.15.5's AutoGraph with sorted variable sets, whose order otherwise differs by process."""


def settle():
    """Makes the reference sort variables by name; no effect under tfmini."""
    try:
        from tensorflow.python.autograph.converters import control_flow  # noqa: PLC0415
    except ImportError:
        return
    transformer = control_flow.ControlFlowTransformer
    if hasattr(control_flow, "tuple"):
        return

    def ordered(items=()):
        return tuple(sorted(items, key=str) if isinstance(items, (set, frozenset)) else items)

    loop_vars = transformer._get_loop_vars

    def settled(self, node, modified):
        basic, composite, reserved, undefined = loop_vars(self, node, modified)
        return ordered(basic), ordered(composite), reserved, undefined

    control_flow.tuple = ordered
    transformer._get_loop_vars = settled
