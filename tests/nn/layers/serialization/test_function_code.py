"""Functions as bytecode, defaults and closure values."""

import json

from tfmini._src.nn.layers.serialization.function_code import dump_code, load_code


def test_function_round_trip_with_defaults_and_closure():
    scale = 3

    def scaled(x, more=2, *, kind="sum"):
        return x * scale + more

    data = json.loads(json.dumps(dump_code(scaled)))
    assert data[1] == [2]
    assert load_code(data, {})(5, kind="mean") == 17
    plain = json.loads(json.dumps(dump_code(lambda x: x + 1)))
    assert plain[1:] == [None, None] and load_code(plain, {})(5) == 6
