"""Functions of ints, run by Python unchanged and converted to graphs by AutoGraph, named after their constructs."""


def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


def if_only(x):
    if x > 0:
        x = x * 2
    return x


def elif_(x):
    if x > 5:
        y = 1
    elif x > 0:
        y = 2
    else:
        y = 3
    return y


def early(x):
    if x > 0:
        return x
    return -x


def early3(x):
    if x > 5:
        return x
    if x > 0:
        return x * 2
    y = x + 1
    return -y


def while_(x):
    while x > 3:
        x = x - 2
    return x


def while2(n):
    i = 0
    s = 0
    while i < n:
        s += i
        i += 1
    return s


def while_break(n):
    i = 0
    while i < n:
        i += 1
        if i > 4:
            break
    return i


def while_continue(n):
    i = 0
    s = 0
    while i < n:
        i += 1
        if i % 2 < 1:
            continue
        s += i
    return s


def while_and(n):
    i = 0
    while i < n and i < 3:
        i += 1
    return i


def for_pyrange(n):
    s = 0
    for i in range(n):
        s += i
    return s


def python_list(n):
    s = 0
    for k in [1, 2, 3]:
        if n > k:
            s += n
    return s


def ifexp(x):
    return x * 2 if x > 0 else -x


def andor(x):
    return x > 0 and x < 5 or not x > 10


def calls(x):
    return helper(x) + helper(-x)


def tryf(x):
    try:
        if x > 0:
            y = x
        else:
            y = -x
    finally:
        z = 1
    return y + z


def kwonly(x, *a, **k):
    def in_(p, q=2, *r, **s):
        if p > q:
            return p
        return q * s["t"]

    return in_(x, t=3) + in_(x, 4, 5, t=6)


def dictitem(x):
    d = {"a": x}
    if x > 0:
        d["a"] = x * 3
    return d["a"]


def for_else(n):
    s = 0
    for i in [1, 2]:
        s += i
    else:
        s += 10
    return s + n


def pyfor_return(n):
    for i in [1, 2, 3]:
        if i > 1:
            return n + i
    return n


def while_true(n):
    while True:
        n = n + 1
        break
    return n


def docstring(n):
    """Doc."""
    if n > 0:
        n = n + 1
    return n


def var_alias(x):
    t = x
    if x > 0:
        t = x * 2
        y = t
    else:
        y = t + 1
    return y


def deep(n):
    i = 0
    s = 0
    while i < n:
        j = 0
        while j < i:
            if j > 2:
                break
            s += j
            j += 1
        i += 1
        if s > 20:
            continue
        s += 1
    return s, i


def range_tensor(n):
    s = 0
    for i in range(2, n):
        s += i
    return s + len(range(2, n))


def range_delta(n):
    s = 0
    for i in range(0, 20, n * n + 1):
        s += i
    return s


def boolnone(x):
    if x is None:
        return 1
    if not x > 0:
        return 2
    return 3


def helper(x):
    if x > 0:
        return x + 100
    return x - 100


def calls_a_function(x):
    return helper(x) + helper(-x)


def has_a_closure(x):
    def inner(z):
        nonlocal found
        found = z * 2
        return z if z > x else x

    found = 0
    return inner(3) + found


def loops_in_loops(n):
    s = 0
    for i in range(n):
        for j in range(i):
            if j > 3:
                break
            s += j
    return s


def while_else(n):
    i = 0
    while i < n:
        i += 1
        if i > 4:
            break
    else:
        i = i + 100
    return i


def two_returns_after_a_loop(n):
    s = 0
    while s < n:
        s += 3
    if s > 6:
        return s
    if s > 3:
        return -s
    return 1000


def several(n):
    a, b = n, n + 1
    if a > 4:
        a, b = b, a
    return a * 10 + b


def item(x):
    d = {"a": x}
    if x > 0:
        d["a"] = x * 3
    return d["a"]


def keeps(n):
    """A docstring, and a name that is only set in one branch and not used later."""
    if n > 2:
        unused = n * 2
        n = unused + 1
    return n


def arguments(x):
    def inner(p, q=2, *r, t=3, **s):
        if p > q:
            return p + len(r)
        return q * t

    return inner(x) + inner(x, 4, 5, t=6)


class Counter:
    def __init__(self):
        self.total = 0

    def add(self, x):
        if x > 3:
            self.total = self.total + x
        while self.total > 8:
            self.total = self.total - 5
        return self.total


def has_an_object(x):
    counter = Counter()
    return counter.add(x) + counter.add(x + 1)


chosen = lambda x: x + 1 if x > 2 else x - 1  # noqa: E731


def returns_in_else_of_a_loop(x):
    for _ in range(2):
        pass
    else:
        if x > 1:
            return x * 10
        x = x + 1
        return x


def reads_in_a_guard(x):
    found = []
    if x > 1:
        limit = 2
    else:
        limit = 3
    match 1:
        case 1 if found.append(limit) is None:
            if x > 3:
                x = x * 10
    return x + found[0]
