"""Names that Python and its libraries have removed since 2016, and their current equivalents.

Plain data: the runner restores removed names with the current object, and the source scan of a program
reports them.
"""

_SHIMS = "tfmini._src.programs.hook.shims"

# NumPy names that SciPy also had.
_NUMPY_IN_SCIPY = (
    "absolute add all allclose amax amin angle any append arange arccosh arcsinh arctan arctan2 argmax argmin "
    "argsort argwhere around array array_equal asarray asmatrix atleast_1d atleast_2d atleast_3d average "
    "bincount bmat c_ ceil clip column_stack complex128 complex64 concatenate conj convolve copy corrcoef "
    "correlate cos cosh count_nonzero cov cross cumprod cumsum deg2rad degrees delete diag diagonal diff "
    "digitize divide dot dstack e einsum empty empty_like equal exp expand_dims expm1 eye fabs fill_diagonal "
    "finfo fix flatnonzero fliplr flipud float32 float64 floor fmod fromfunction fromstring full gradient "
    "hanning hamming histogram histogram2d hstack hypot identity iinfo imag inf inner insert int16 int32 int64 "
    "int8 interp intersect1d invert isclose isfinite isinf isnan isreal isscalar issubdtype kron linspace load "
    "loadtxt log1p logical_and logical_not logical_or logspace matrix maximum mean median meshgrid mgrid "
    "minimum mod multiply nan nan_to_num nanmax nanmean nanmin nansum ndarray ndim negative nonzero ogrid ones "
    "ones_like outer pad percentile pi piecewise poly poly1d polyder polyfit polyint polyval prod r_ rad2deg "
    "radians ravel real repeat reshape roll rot90 save savetxt savez searchsorted select setdiff1d shape sign "
    "sin sinc sinh size sort split square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile "
    "trace transpose tri tril triu uint16 uint32 uint64 uint8 union1d unique unravel_index unwrap vander var "
    "vdot vectorize vstack where zeros zeros_like"
)

# By module: its removed names, and the full names of the current objects.
NAMES = {
    "base64": {"decodestring": "base64.decodebytes", "encodestring": "base64.encodebytes"},
    "PIL": {"PILLOW_VERSION": "PIL.__version__"},
    "PIL.Image": {
        "ANTIALIAS": "PIL.Image.LANCZOS",
        "CUBIC": "PIL.Image.BICUBIC",
        "LINEAR": "PIL.Image.BILINEAR",
        "PILLOW_VERSION": "PIL.__version__",
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
        "copy_tree": f"{_SHIMS}.stdlib_shims.copy_tree",
        "mkpath": f"{_SHIMS}.stdlib_shims.mkpath",
    },
    "distutils.spawn": {"find_executable": "shutil.which"},
    "distutils.util": {"strtobool": f"{_SHIMS}.stdlib_shims.strtobool"},
    "distutils.version": {
        "LooseVersion": f"{_SHIMS}.stdlib_shims.LooseVersion",
        "StrictVersion": f"{_SHIMS}.stdlib_shims.LooseVersion",
    },
    "fractions": {"gcd": "math.gcd"},
    "imghdr": {"what": f"{_SHIMS}.stdlib_shims.picture_type"},
    "imp": {
        "load_source": f"{_SHIMS}.stdlib_shims.load_source",
        "new_module": "types.ModuleType",
        "reload": "importlib.reload",
    },
    "inspect": {name: f"{_SHIMS}.stdlib_shims.{name}" for name in ("ArgSpec", "getargspec")},
    "matplotlib.backends.backend_tkagg": {
        "NavigationToolbar2TkAgg": "matplotlib.backends.backend_tkagg.NavigationToolbar2Tk"
    },
    "matplotlib.cbook": {"iterable": "numpy.iterable"},
    "matplotlib.cm": {
        "Vega10": "matplotlib.cm.tab10",
        "Vega20": "matplotlib.cm.tab20",
        "get_cmap": "matplotlib.pyplot.get_cmap",
        "spectral": "matplotlib.cm.nipy_spectral",
    },
    "matplotlib.mlab": {
        "bivariate_normal": f"{_SHIMS}.matplotlib_shims.bivariate_normal",
        "normpdf": f"{_SHIMS}.matplotlib_shims.normpdf",
    },
    "matplotlib.pyplot": {
        "hold": f"{_SHIMS}.matplotlib_shims.hold",
        "ishold": f"{_SHIMS}.matplotlib_shims.ishold",
    },
    "networkx": {
        **{
            f"Ordered{class_name}": f"networkx.{class_name}"
            for class_name in ("DiGraph", "Graph", "MultiDiGraph", "MultiGraph")
        },
        **{
            name: f"{_SHIMS}.networkx_shims.{name}"
            for name in (
                *("connected_component_subgraphs", "read_gpickle", "to_numpy_matrix"),
                *("to_scipy_sparse_matrix", "write_gpickle"),
            )
        },
        "adj_matrix": "networkx.adjacency_matrix",
        "from_numpy_matrix": "networkx.from_numpy_array",
        "from_scipy_sparse_matrix": "networkx.from_scipy_sparse_array",
    },
    "numpy": {
        "Inf": "numpy.inf",
        "Infinity": "numpy.inf",
        "NAN": "numpy.nan",
        "NINF": f"{_SHIMS}.numpy_shims.NINF",
        "NaN": "numpy.nan",
        "PINF": "numpy.inf",
        **{
            name: f"numpy.exceptions.{name}"
            for name in (
                *("AxisError", "ComplexWarning", "ModuleDeprecationWarning", "RankWarning"),
                *("TooHardError", "VisibleDeprecationWarning"),
            )
        },
        "alen": "builtins.len",
        "alltrue": "numpy.all",
        "asfarray": f"{_SHIMS}.numpy_shims.asfarray",
        "asscalar": f"{_SHIMS}.numpy_shims.asscalar",
        "bool": "builtins.bool",
        "bool8": "numpy.bool_",
        "cast": f"{_SHIMS}.numpy_shims.cast",
        "cfloat": "numpy.complex128",
        "complex": "builtins.complex",
        "complex_": "numpy.complex128",
        "cumproduct": "numpy.cumprod",
        "float": "builtins.float",
        "find_common_type": f"{_SHIMS}.numpy_shims.find_common_type",
        "float_": "numpy.float64",
        "in1d": f"{_SHIMS}.numpy_shims.in1d",
        "infty": "numpy.inf",
        "int": "builtins.int",
        "int0": "numpy.intp",
        "issctype": f"{_SHIMS}.numpy_shims.issctype",
        "issubclass_": "builtins.issubclass",
        "issubsctype": "numpy.issubdtype",
        "loads": "pickle.loads",
        "long": "builtins.int",
        "longfloat": "numpy.longdouble",
        "mat": "numpy.asmatrix",
        "math": f"{_SHIMS}.numpy_shims.math",
        "msort": f"{_SHIMS}.numpy_shims.msort",
        "obj2sctype": f"{_SHIMS}.numpy_shims.obj2sctype",
        "object": "builtins.object",
        "object0": "numpy.object_",
        "product": "numpy.prod",
        "rank": "numpy.ndim",
        "round_": "numpy.round",
        "row_stack": "numpy.vstack",
        "sctypes": f"{_SHIMS}.numpy_shims.sctypes",
        "singlecomplex": "numpy.complex64",
        "sometrue": "numpy.any",
        "str": "builtins.str",
        "string_": "numpy.bytes_",
        "trapz": f"{_SHIMS}.numpy_shims.trapz",
        "typeDict": "numpy.sctypeDict",
        "uint0": "numpy.uintp",
        "unicode": "builtins.str",
        "unicode_": "numpy.str_",
    },
    "numpy.core.umath_tests": {"inner1d": f"{_SHIMS}.numpy_shims.inner1d"},
    "numpy.lib": {"pad": "numpy.pad"},
    "os": {"errno": f"{_SHIMS}.stdlib_shims.errno"},
    "pandas": {
        **dict.fromkeys(("Float64Index", "Int64Index", "UInt64Index"), "pandas.Index"),
        "TimeGrouper": "pandas.Grouper",
        "datetime": "datetime.datetime",
        "scatter_matrix": "pandas.plotting.scatter_matrix",
        **{
            name: f"{_SHIMS}.pandas_shims.{name}"
            for name in (
                *("ewma", "np", "rolling_max", "rolling_mean", "rolling_median", "rolling_min"),
                *("rolling_std", "rolling_sum", "rolling_var", "value_counts"),
            )
        },
    },
    "pandas.io.json": {"json_normalize": "pandas.json_normalize"},
    "pipes": {"quote": "shlex.quote"},
    "scipy": {
        **{name: f"numpy.{name}" for name in _NUMPY_IN_SCIPY.split()},
        **{
            name: f"numpy.lib.scimath.{name}"
            for name in "arccos arcsin arctanh log log10 log2 logn power sqrt".split()
        },
        "ifft": "numpy.fft.ifft",
        "rand": "numpy.random.rand",
        "randn": "numpy.random.randn",
    },
    "scipy.integrate": {
        "cumtrapz": "scipy.integrate.cumulative_trapezoid",
        "simps": f"{_SHIMS}.scipy_shims.simps",
        "trapz": "scipy.integrate.trapezoid",
    },
    "scipy.linalg": {
        "pinv2": "scipy.linalg.pinv",
        **{name: f"numpy.{name}" for name in ("tri", "tril", "triu")},
    },
    "scipy.misc": {
        **{
            name: f"{_SHIMS}.scipy_misc_images.{name}"
            for name in (
                *("bytescale", "fromimage", "imread", "imresize", "imrotate", "imsave", "toimage"),
            )
        },
        "ascent": "scipy.datasets.ascent",
        "comb": "scipy.special.comb",
        "derivative": f"{_SHIMS}.scipy_shims.derivative",
        "electrocardiogram": "scipy.datasets.electrocardiogram",
        "face": "scipy.datasets.face",
        "factorial": "scipy.special.factorial",
        "factorial2": "scipy.special.factorial2",
        "logsumexp": "scipy.special.logsumexp",
    },
    "scipy.ndimage": {"imread": f"{_SHIMS}.scipy_misc_images.imread"},
    "scipy.signal": {
        name: f"scipy.signal.windows.{name}"
        for name in (
            *("barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin"),
            *("cosine", "exponential", "flattop", "gaussian", "general_gaussian", "hamming"),
            *("hann", "kaiser", "nuttall", "parzen", "triang", "tukey"),
        )
    }
    | {"hanning": "scipy.signal.windows.hann"},
    "scipy.spatial.distance": {"matching": "scipy.spatial.distance.hamming"},
    "scipy.stats": {
        "binom_test": f"{_SHIMS}.scipy_shims.binom_test",
        "frechet_l": "scipy.stats.weibull_max",
        "frechet_r": "scipy.stats.weibull_min",
        "itemfreq": f"{_SHIMS}.scipy_shims.itemfreq",
    },
    "sklearn.cross_validation": {
        **{
            name: f"sklearn.model_selection.{name}"
            for name in ("cross_val_predict", "cross_val_score", "train_test_split")
        },
        **{
            name: f"{_SHIMS}.sklearn_shims.{name}"
            for name in (
                *("KFold", "LeaveOneOut", "ShuffleSplit", "StratifiedKFold"),
                "StratifiedShuffleSplit",
            )
        },
    },
    "sklearn.datasets": {
        "fetch_mldata": f"{_SHIMS}.sklearn_shims.fetch_mldata",
        "load_boston": f"{_SHIMS}.sklearn_shims.load_boston",
    },
    "sklearn.datasets.base": {"Bunch": "sklearn.utils.Bunch"},
    "sklearn.externals.six": {"StringIO": "io.StringIO"},
    "sklearn.grid_search": {
        name: f"sklearn.model_selection.{name}"
        for name in ("GridSearchCV", "ParameterGrid", "ParameterSampler", "RandomizedSearchCV")
    },
    "sklearn.lda": {"LDA": "sklearn.discriminant_analysis.LinearDiscriminantAnalysis"},
    "sklearn.preprocessing": {"Imputer": f"{_SHIMS}.sklearn_shims.Imputer"},
    "sklearn.qda": {"QDA": "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis"},
    "sklearn.utils.linear_assignment_": {
        "linear_assignment": f"{_SHIMS}.sklearn_shims.linear_assignment"
    },
    "time": {"clock": "time.process_time"},
}

# Removed modules, and the modules that provide all of their names.
MODULES = {
    "matplotlib.externals.six": "six",
    "numpy.fft.fftpack": "numpy.fft",
    "numpy.lib.arraysetops": "numpy",
    "numpy.lib.function_base": "numpy",
    "numpy.lib.twodim_base": "numpy",
    "numpy.linalg.linalg": "numpy.linalg",
    "numpy.testing.utils": "numpy.testing",
    "pandas.tools.plotting": "pandas.plotting",
    "pandas.util.testing": "pandas.testing",
    "scipy.misc.pilutil": f"{_SHIMS}.scipy_misc_images",
    "scipy.sparse.linalg.eigen": "scipy.sparse.linalg",
    "scipy.sparse.linalg.eigen.arpack": "scipy.sparse.linalg",
    "sklearn.cluster.k_means_": "sklearn.cluster",
    "sklearn.datasets.base": "sklearn.datasets",
    "sklearn.datasets.samples_generator": "sklearn.datasets",
    "sklearn.decomposition.pca": "sklearn.decomposition",
    "sklearn.ensemble.forest": "sklearn.ensemble",
    "sklearn.ensemble.gradient_boosting": "sklearn.ensemble",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "sklearn.feature_extraction.stop_words": "sklearn.feature_extraction.text",
    "sklearn.learning_curve": "sklearn.model_selection",
    "sklearn.linear_model.base": "sklearn.linear_model",
    "sklearn.linear_model.logistic": "sklearn.linear_model",
    "sklearn.manifold.t_sne": "sklearn.manifold",
    "sklearn.metrics.classification": "sklearn.metrics",
    "sklearn.metrics.ranking": "sklearn.metrics",
    "sklearn.metrics.regression": "sklearn.metrics",
    "sklearn.metrics.scorer": "sklearn.metrics",
    "sklearn.neighbors.kde": "sklearn.neighbors",
    "sklearn.preprocessing.data": "sklearn.preprocessing",
    "sklearn.preprocessing.label": "sklearn.preprocessing",
    "sklearn.svm.classes": "sklearn.svm",
    "sklearn.tree.tree": "sklearn.tree",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}

# By package: submodules loaded as a side effect of importing TensorFlow, which programs use without an import.
LAZY_SUBMODULES = {
    "http": ("client",),
    "multiprocessing": ("pool",),
    "numpy.linalg": ("linalg",),
    "numpy.testing": ("utils",),
    "scipy": ("misc",),
    "unittest": ("mock",),
    "urllib": ("error", "parse", "request"),
    "xml": ("dom", "sax"),
}

# Methods of pandas' frames and of its series.
_FRAMES = {
    "backfill": "bfill",
    "convert_objects": "infer_objects",
    "get_values": "to_numpy",
    "iteritems": "items",
    "pad": "ffill",
    **{
        name: f"{_SHIMS}.pandas_shims.{name}"
        for name in ("append", "as_matrix", "get_value", "mad", "set_value")
    },
}

# Methods of Python classes: removed name to current name, or the full name of a function of the object.
METHODS = {
    "html.parser.HTMLParser": {"unescape": f"{_SHIMS}.stdlib_shims.unescape"},
    "matplotlib.axes._base._AxesBase": {
        "get_axis_bgcolor": "get_facecolor",
        "hold": f"{_SHIMS}.matplotlib_shims.hold_axes",
        "set_axis_bgcolor": "set_facecolor",
        "set_color_cycle": f"{_SHIMS}.matplotlib_shims.set_color_cycle",
    },
    "matplotlib.backends.backend_agg.FigureCanvasAgg": {
        "tostring_rgb": f"{_SHIMS}.matplotlib_shims.tostring_rgb"
    },
    "matplotlib.backend_bases.FigureCanvasBase": {
        "set_window_title": f"{_SHIMS}.matplotlib_shims.set_window_title"
    },
    "networkx.classes.graph.Graph": {
        f"{name}_iter": name for name in ("degree", "edges", "neighbors", "nodes")
    },
    "pandas.core.frame.DataFrame": _FRAMES
    | {
        "applymap": "map",
        **{
            name: f"{_SHIMS}.pandas_shims.{name}"
            for name in ("from_csv", "from_items", "lookup", "sort")
        },
    },
    "pandas.core.series.Series": _FRAMES
    | {
        "nonzero": f"{_SHIMS}.pandas_shims.nonzero",
        "order": "sort_values",
        "ravel": f"{_SHIMS}.pandas_shims.ravel",
    },
    "PIL.ImageDraw.ImageDraw": {"textsize": f"{_SHIMS}.pillow_shims.textsize"},
    "PIL.ImageFont.FreeTypeFont": {"getsize": f"{_SHIMS}.pillow_shims.getsize"},
    "PIL.ImageFont.ImageFont": {"getsize": f"{_SHIMS}.pillow_shims.getsize"},
    "sklearn.feature_extraction.text.CountVectorizer": {
        "get_feature_names": f"{_SHIMS}.sklearn_shims.get_feature_names"
    },
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

# Properties of classes: removed name to current name, `[()]`, called method, or full name of a function of the object.
PROPERTIES = {
    "h5py._hl.dataset.Dataset": {"value": "[()]"},
    "h5py._hl.files.File": {"fid": "id"},
    "networkx.classes.graph.Graph": {"node": "nodes"},
    "pandas.core.frame.DataFrame": {"ix": f"{_SHIMS}.pandas_shims.ix"},
    "pandas.core.series.Series": {"ix": f"{_SHIMS}.pandas_shims.ix"},
    "scipy.sparse.spmatrix": {"A": "toarray()", "H": "getH()"},
}

# By module: the function that restores its former registries and settings, called when it is loaded.
REGISTRIES = {
    "gensim.models": f"{_SHIMS}.gensim_shims.restore_version_3",
    "matplotlib": f"{_SHIMS}.matplotlib_rcparams.add",
    "matplotlib.figure": f"{_SHIMS}.matplotlib_subplots.accept_digits",
    "matplotlib.pyplot": f"{_SHIMS}.matplotlib_shims.add_maps",
    "matplotlib.style": f"{_SHIMS}.matplotlib_shims.add_styles",
    "networkx": f"{_SHIMS}.networkx_shims.return_matrices",
    "pandas": f"{_SHIMS}.pandas_shims.make_text_objects",
}
