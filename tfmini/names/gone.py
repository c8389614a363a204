"""What Python and its libraries have dropped since 2016, and what does the same today.

Plain data: the runner gives the new object by the old name where the old one is gone, and a look through a program's
source finds the names.
"""

_OWN = "tfmini.hook.stand_ins"

# By module: its old names, and the full names of the present objects.
NAMES = {
    "base64": {"decodestring": "base64.decodebytes", "encodestring": "base64.encodebytes"},
    "PIL.Image": {
        "ANTIALIAS": "PIL.Image.LANCZOS",
        "CUBIC": "PIL.Image.BICUBIC",
        "LINEAR": "PIL.Image.BILINEAR",
    },
    "cgi": {"escape": "html.escape"},
    "collections": {
        name: f"collections.abc.{name}"
        for name in (
            *(
                "Awaitable",
                "ByteString",
                "Callable",
                "Container",
                "Coroutine",
                "Generator",
                "Hashable",
            ),
            *("ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "MappingView"),
            *("MutableMapping", "MutableSequence", "MutableSet", "Reversible", "Sequence", "Set"),
            *("Sized", "ValuesView"),
        )
    },
    "distutils.dir_util": {
        "copy_tree": f"{_OWN}.standard.copy_tree",
        "mkpath": f"{_OWN}.standard.mkpath",
    },
    "distutils.spawn": {"find_executable": "shutil.which"},
    "distutils.util": {"strtobool": f"{_OWN}.standard.strtobool"},
    "distutils.version": {
        "LooseVersion": f"{_OWN}.standard.LooseVersion",
        "StrictVersion": f"{_OWN}.standard.LooseVersion",
    },
    "fractions": {"gcd": "math.gcd"},
    "imp": {
        "load_source": f"{_OWN}.standard.load_source",
        "new_module": "types.ModuleType",
        "reload": "importlib.reload",
    },
    "inspect": {"getargspec": f"{_OWN}.standard.getargspec"},
    "matplotlib.cm": {"spectral": "matplotlib.cm.nipy_spectral"},
    "matplotlib.mlab": {
        "bivariate_normal": f"{_OWN}.plots.bivariate_normal",
        "normpdf": f"{_OWN}.plots.normpdf",
    },
    "matplotlib.pyplot": {"hold": f"{_OWN}.plots.hold", "ishold": f"{_OWN}.plots.ishold"},
    "numpy": {
        "Inf": "numpy.inf",
        "Infinity": "numpy.inf",
        "NAN": "numpy.nan",
        "NINF": f"{_OWN}.arrays.NINF",
        "NaN": "numpy.nan",
        "PINF": "numpy.inf",
        "alltrue": "numpy.all",
        "asscalar": f"{_OWN}.arrays.asscalar",
        "bool": "builtins.bool",
        "bool8": "numpy.bool_",
        "complex": "builtins.complex",
        "complex_": "numpy.complex128",
        "cumproduct": "numpy.cumprod",
        "float": "builtins.float",
        "float_": "numpy.float64",
        "in1d": f"{_OWN}.arrays.in1d",
        "infty": "numpy.inf",
        "int": "builtins.int",
        "int0": "numpy.intp",
        "long": "builtins.int",
        "mat": "numpy.asmatrix",
        "msort": f"{_OWN}.arrays.msort",
        "object": "builtins.object",
        "object0": "numpy.object_",
        "product": "numpy.prod",
        "rank": "numpy.ndim",
        "round_": "numpy.round",
        "row_stack": "numpy.vstack",
        "sometrue": "numpy.any",
        "str": "builtins.str",
        "string_": "numpy.bytes_",
        "trapz": f"{_OWN}.arrays.trapz",
        "uint0": "numpy.uintp",
        "unicode": "builtins.str",
        "unicode_": "numpy.str_",
    },
    "numpy.lib": {"pad": "numpy.pad"},
    "scipy": {
        name: f"numpy.{name}"
        for name in (
            *(
                "arange",
                "array",
                "asarray",
                "concatenate",
                "cos",
                "dot",
                "exp",
                "eye",
                "hstack",
                "linspace",
            ),
            *("log", "log10", "mean", "nan", "ones", "pi", "polyfit", "power", "sin", "sqrt"),
            *("std", "sum", "vstack", "zeros"),
        )
    }
    | {"rand": "numpy.random.rand", "randn": "numpy.random.randn"},
    "scipy.misc": {
        **{
            name: f"{_OWN}.images.{name}"
            for name in (
                *("bytescale", "fromimage", "imread", "imresize", "imrotate", "imsave", "toimage"),
            )
        },
        "ascent": "scipy.datasets.ascent",
        "comb": "scipy.special.comb",
        "face": "scipy.datasets.face",
        "factorial": "scipy.special.factorial",
        "logsumexp": "scipy.special.logsumexp",
    },
    "sklearn.cross_validation": {
        **{
            name: f"sklearn.model_selection.{name}"
            for name in ("cross_val_predict", "cross_val_score", "train_test_split")
        },
        **{name: f"{_OWN}.splits.{name}" for name in ("KFold", "LeaveOneOut", "StratifiedKFold")},
    },
    "sklearn.datasets": {"fetch_mldata": f"{_OWN}.splits.fetch_mldata"},
    "sklearn.grid_search": {
        name: f"sklearn.model_selection.{name}"
        for name in ("GridSearchCV", "ParameterGrid", "ParameterSampler", "RandomizedSearchCV")
    },
    "sklearn.utils.linear_assignment_": {"linear_assignment": f"{_OWN}.splits.linear_assignment"},
    "time": {"clock": "time.process_time"},
}

# Modules that are gone, and those that have all of their names.
MODULES = {
    "scipy.sparse.linalg.eigen": "scipy.sparse.linalg",
    "scipy.sparse.linalg.eigen.arpack": "scipy.sparse.linalg",
    "sklearn.datasets.samples_generator": "sklearn.datasets",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}

# By package: modules of it that TensorFlow's own imports loaded, so that programs ask for them without an import.
LOADED = {
    "http": ("client",),
    "multiprocessing": ("pool",),
    "scipy": ("misc",),
    "unittest": ("mock",),
    "urllib": ("error", "parse", "request"),
    "xml": ("dom", "sax"),
}

# Methods of classes in Python: the present one by the old name.
METHODS = {
    "pandas.core.frame.DataFrame": {"as_matrix": "to_numpy", "iteritems": "items"},
    "pandas.core.series.Series": {"as_matrix": "to_numpy", "iteritems": "items"},
    "threading.Thread": {"isAlive": "is_alive"},
    "unittest.case.TestCase": {
        "assertAlmostEquals": "assertAlmostEqual",
        "assertEquals": "assertEqual",
        "assertItemsEqual": "assertCountEqual",
        "assertNotAlmostEquals": "assertNotAlmostEqual",
        "assertNotEquals": "assertNotEqual",
        "assertNotRegexpMatches": "assertNotRegex",
        "assertRaisesRegexp": "assertRaisesRegex",
        "assertRegexpMatches": "assertRegex",
        "assert_": "assertTrue",
        "failUnless": "assertTrue",
        "failUnlessEqual": "assertEqual",
    },
}

# Properties of classes: what is there by the old name, as it is written today.
PROPERTIES = {"h5py._hl.dataset.Dataset": {"value": "[()]"}}
