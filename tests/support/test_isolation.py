"""Memory that tests have left is returned."""

import numpy as np
import pytest

from tests.support import isolation


@pytest.mark.skipif(not isolation._resident(), reason="this system says no process's memory")
def test_garbage_of_large_arrays_is_collected():
    isolation.give_back_memory()
    before = isolation._resident()
    cycle = [np.ones(2 * isolation.MUCH // 8)]
    cycle.append(cycle)
    del cycle
    assert isolation._resident() > before + isolation.MUCH
    isolation.give_back_memory()
    assert isolation._resident() < before + isolation.MUCH // 2
