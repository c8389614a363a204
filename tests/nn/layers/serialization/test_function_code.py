"""Functions as bytecode, defaults and closure values."""

import json

from tfmini._src.nn.layers.serialization.function_code import dumped, loaded


def test_a_function_comes_back_from_json_with_its_defaults_and_closure():
    scale = 3

    def scaled(x, more=2, *, kind="sum"):
        return x * scale + more

    data = json.loads(json.dumps(dumped(scaled)))
    assert data[1] == [2]
    assert loaded(data, {})(5, kind="mean") == 17
    plain = json.loads(json.dumps(dumped(lambda x: x + 1)))
    assert plain[1:] == [None, None] and loaded(plain, {})(5) == 6
