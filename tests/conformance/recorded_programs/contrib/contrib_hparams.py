"""tf.contrib.training.HParams: strings, values, dicts and messages parsed as hyperparameters, or rejected."""

TEXTS = """rate=3;n=7,flag=false;n=2.5;flag=maybe;flag=1;units=[3,4,5];units=[3, x];units=3;n=[1];n[1]=2
units[1]=2,units[1]=3;n=1,n=2;q=1;n=;name=a b;name=;=3;units=[];names=[c d];units[0]=[1]
n=1,n[2]=3;rate=1e-3,;flags=[true,0,no];flags=[true,0]"""

VALUES = [
    *[("n", True), ("n", 2.0), ("rate", 2), ("rate", "a"), ("flag", 1), ("name", 3)],
    *[("units", 3), ("n", [3]), ("other", 1), ("units", [1.5]), ("none", "q"), ("names", ["z"])],
]


def outcome(call):
    try:
        return str(call())
    except (KeyError, ValueError) as error:
        return type(error).__name__ + ": " + str(error)


def build(tf):
    training = tf.contrib.training

    def made():
        return training.HParams(
            rate=0.1,
            n=3,
            name="x",
            flag=True,
            units=[1, 2],
            none=None,
            names=["a", "b"],
            flags=[True, False],
        )

    def changed(method, *args):
        hparams = made()
        getattr(hparams, method)(*args)
        return repr(hparams)

    full = training.HParams(a=1, b=[2.5], c="s", d=[True], e=["t"])
    calls = {
        "json": lambda: made().to_json(sort_keys=True),
        "text": lambda: training.HParams(a=1, b=[2]),
        "get": lambda: [made().get("n"), made().get("n", 4), made().get("other", 5)],
        "get of another type": lambda: made().get("n", 2.5),
        "get of one for many": lambda: made().get("units", 3),
        "get of others for many": lambda: made().get("units", ["a"]),
        "in": lambda: ["n" in made(), "other" in made()],
        "reserved": lambda: training.HParams(values=3),
        "twice": lambda: changed("add_hparam", "n", 4),
        "empty": lambda: training.HParams(a=[]),
        "proto": lambda: repr(training.HParams(hparam_def=full.to_proto())),
        "from_proto": lambda: repr(training.HParams.from_proto(full.to_proto())),
        "proto of none": lambda: training.HParams(a=None).to_proto(),
        "proto and values": lambda: training.HParams(hparam_def=full.to_proto(), z=2),
        "parse_json": lambda: changed("parse_json", '{"n": 4, "rate": 1}'),
        "parse_json of text": lambda: changed("parse_json", '{"n": "4"}'),
        "set_from_map": lambda: changed("set_from_map", {"n": 5}),
        "del": lambda: changed("del_hparam", "n"),
        "places": lambda: training.parse_values("a=1,b[2]=3", {"a": int, "b": float}),
        "unknown": lambda: training.parse_values("a=1,z=2", {"a": int}, ignore_unknown=True),
        "structure": lambda: training.HParams(model_structure=(1,)).get_model_structure(),
    }
    for text in TEXTS.replace("\n", ";").split(";"):
        calls["parse " + text] = lambda text=text: changed("parse", text)
    for name, value in VALUES:
        calls[f"set {name} {value}"] = lambda name=name, value=value: changed(
            "set_hparam", name, value
        )
    return {
        "facts": {label: outcome(call) for label, call in calls.items()},
        "steps": [("nothing", tf.constant(1.0))],
    }
