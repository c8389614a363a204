"""Python 2 programs, and a recorder of their output under Python 2.7: `ci/record python2`.

TFMINI_PYTHON2 names that Python, which has NumPy. A program is one file, or several that `# NAME.py` lines begin; the first is run.
"""

import os
import re
import subprocess
import tempfile

from tests.support import goldens

PATH = goldens.path_of("python2.json.xz")

PROGRAMS = {
    "statements": """
        import sys
        print "loss", 3 / 2, 3.0 / 2, 7 / -2
        print "a",
        print "b", "c\\n",
        print "d"
        print
        print >>sys.stdout, "to a file", 5L
        print >>sys.stdout, "no end",
        print ("a", 1), ("b")
        def middle(a, (b, (c, d)), e=3):
            "A function."
            return a + b + c + d + e
        print middle(1, (2, (3, 4))), middle.func_name, middle.__doc__
        print map(lambda (k, v), n=2: k * n + v, [("x", "y"), ("z", "")])
        try:
            raise ValueError, "bad"
        except (ValueError, IOError), error:
            print error, error.message, repr(error.args)
        class Own(Exception):
            pass
        try:
            raise Own, ("a", 2)
        except Own, (first, second):
            print first, second
        try:
            try:
                1 / 0
            except ZeroDivisionError:
                raise Own, "again", sys.exc_info()[2]
        except Own, error:
            print error, sys.exc_info()[2] is not None
        exec "z = 7 / 2"
        names = {}
        exec "print 'inside', y" in {"y": 8}
        exec("w = 9 / 4", names)
        print z, names["w"], `3` + `"a"`, 0777, 0xFFL, 3 <> 4, ur"a\\d", [x for x in 1, 2]
        if True:
                print 'by spaces'
        \tprint 'by a tab'
        async = 3
        print async; print "two on a line"
        """,
    "arithmetic": """
        print 7 / 2, -7 / 2, 7 / 2.0, True / 2, 7 // 2, 2 ** 70 / 3, 7 % 3
        x = 9
        x /= 2
        print x
        class Half(object):
            def __init__(self): self.n, self.l = 9, [9, 9.0]
            def __div__(self, other): return "div %s" % other
            def __rdiv__(self, other): return "rdiv %s" % other
        h = Half()
        h.n /= 2
        h.l[0] /= 2
        h.l[1] /= 2
        print h.n, h.l, h / 3, 3 / h
        print round(2.5), round(-0.5), round(2.675, 2), round(1250, -2), round(1.005, 2), round(7), round(1e300)
        print 0.1 + 0.2, [0.1 + 0.2], 1e20, 1e16, 1.0, 123456789012.0, 1234567890123.0, 1e-5, 2.0 / 3, 1e100
        print "%s %r %d %.3f %5s|" % (2.0 / 3, 2.0 / 3, 3.9, 2.0 / 3, 1.5), "{} {:.2f} {n}".format(2.0 / 3, 2.0 / 3, n=1e16)
        print str(1.0 / 3), str(2j / 3), "%s" % (1.0 / 3), "%(a)s" % {"a": 1.0 / 3}, ", ".join(map(str, [0.1, 1.0 / 3]))
        import math, numpy
        print math.floor(2.5), math.ceil(2.1), int(math.floor(7 / 2)), math.sqrt(16)
        print "{} {:.2f} {} {!s}".format(numpy.float32(0.1), numpy.float32(0.1), numpy.float64(1) / 3, numpy.float32(0.1))
        print oct(8), oct(0), hex(255), int("12"), long(3), 10 ** 20
        """,
    "future": """
        "Text."
        from __future__ import division, print_function
        import cPickle
        print(7 / 2, 7 // 2, unichr(97), end="!\\n")
        x = 9
        x /= 2
        print(x, str(1 / 3))
        """,
    "lists": """
        from collections import OrderedDict
        print map(None, [1, 2], [3]), map(lambda a, b: (a, b), [1], [2, 3]), map(str, (1, 0.5))
        print filter(lambda c: c in "ab", "abc"), filter(None, (0, 1)), filter(None, [0, 1]), zip([1, 2], "ab"), range(5)[1:3]
        r = range(3)
        r[0] = 5
        r.append(xrange(10)[4])
        print r, len(xrange(2, 10, 3)), reduce(lambda a, b: a + b, [1, 2, 3], 4), apply(max, (1, 2))
        d = OrderedDict([("a", 1), ("b", 2)])
        print d.keys()[0], d.values()[1:], d.items(), d.has_key("a"), d.has_key("z")
        keys = d.keys()
        keys.sort(reverse=True)
        print keys, [v for k, v in d.iteritems()], list(d.iterkeys()), sum(d.itervalues())
        for k in d.keys():
            if k == "a": del d[k]
        print d.items()
        it = iter([1, 2])
        print it.next(), it.next()
        def numbers():
            yield 1
        print numbers().next()
        print sorted([3, 1, 2], lambda a, b: cmp(b, a)), sorted({"b": 1, "a": 2}.items(), key=lambda (k, v): v)
        l = [3, 1, 2]
        l.sort(lambda a, b: b - a)
        print l, l.index(1)
        l.sort(cmp=lambda a, b: a - b)
        print l
        """,
    "comparisons": """
        print sorted([3, None, "a", 1.5, [1], (2,), {}, True]), None < 0, "a" > 5, [1] > 5, (1,) > [1]
        print cmp(1, 2), cmp("b", "a"), cmp([1, 2], [1, 2]), cmp(None, 1), max(None, 3), min([3, "a"]), max([], 3)
        x = None
        print x > 0, x < 0, x >= None, not x <= 5, 0 < 1 < "a", 5 > 3 > None
        print sorted([(1, None), (1, 2), (0, "a")]), [1, None] < [1, 2]
        import bisect, heapq
        heap = [(2, "x"), (2, None), (1, {"a": 1})]
        heapq.heapify(heap)
        heapq.heappush(heap, (2, [0]))
        print heapq.heappop(heap), heapq.heappushpop(heap, (0, 3)), heapq.heapreplace(heap, (3, 1)), heapq.heappop(heap), len(heap)
        print heapq.nsmallest(2, [3, None, 1]), heapq.nlargest(2, ["a", 3, None]), bisect.bisect([1, 2], None), bisect.bisect_left([1, 2], "a")
        l = [None, 1, "b"]
        bisect.insort(l, 2)
        class Limits: low, high = None, ["a"]
        print l, 0 < Limits.high[0] < "b", 3 > Limits.low > -1
        class Version:
            def __init__(self, n): self.n = n
            def __cmp__(self, other): return cmp(self.n, other.n)
            def __nonzero__(self): return self.n > 1
        print Version(1) < Version(2), Version(2) == Version(2), Version(3) != Version(3), bool(Version(0)), max(Version(1), Version(4)).n
        print [v.n for v in sorted([Version(3), Version(1)])]
        class Point(object):
            def __init__(self, x): self.x = x
            def __eq__(self, other): return self.x == other.x
        print len(set([Point(1), Point(2)])), Point(1) == Point(1)
        class Counter(object):
            def __init__(self): self.n = 0
            def __iter__(self): return self
            def next(self):
                self.n += 1
                if self.n > 3: raise StopIteration
                return self.n
        print list(Counter()), Counter().next()
        class Meta(type):
            def __new__(cls, name, bases, names):
                names["made"] = name.lower()
                return type.__new__(cls, name, bases, names)
        class Made(object):
            __metaclass__ = Meta
        print Made.made, Made().made, type(Made) is Meta
        """,
    "text": """
        import string, re
        print "Hello, World".translate(None, string.punctuation), "hello".translate(string.maketrans("el", "ip"))
        print string.letters, string.lowercase[:3], string.uppercase[-1], string.join(["a", "b"], "-"), string.atoi("12") / 5, string.upper("x")
        print "abc".encode("hex"), "616263".decode("hex"), "YWJj".decode("base64"), "abc".encode("rot13"), "abc".encode("base64"),
        print u"abc".encode("utf-8"), "abc".decode("utf-8") == u"abc", "caf\\xc3\\xa9".decode("utf-8") == u"caf\\xe9", len(u"caf\\xe9".encode("utf-8"))
        print isinstance(u"a", basestring), isinstance("a", str), isinstance(3L, (int, long)), type(u"a".encode("utf-8")).__name__ in ("str", "ByteText")
        print " ".join([w.encode("utf-8") for w in [u"a", u"b"]]), "x" + u"y".encode("ascii"), "%s!" % u"z".encode("utf-8")
        words = [w.encode("utf-8") for w in u"b a b".split()]
        counts = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        print counts["b"], sorted(counts), counts.has_key("a"), "a" in words, words[0] == "b", words[1][0], words[0] + "!" < "c"
        import base64
        raw = u"caf\\xe9, x".encode("utf-8")
        print re.compile("[a-c]+").sub("-", raw), re.compile(r"\\W+").split(raw)[-1], re.compile("x").search(raw).group(), str(bytearray("ba"))
        print u"caf\\xe9".encode("ascii", "ignore"), u"caf\\xe9".encode("ascii", "replace"), raw.decode("ascii", "ignore"), isinstance(xrange(3), xrange)
        try:
            u"caf\\xe9".encode("ascii")
        except UnicodeEncodeError, e:
            print e.encoding
        print map(len, ["a\\xff"]), len(("\\xff")), len("a" "\\xff"), map(len, {"\\xfe": 1}), u"\\xff" "a" == u"\\xffa", "%s" % ["\\xff"[0] == "\\xff"]
        data = base64.b16decode("6162")
        print data + "c", "c" + data, data == "ab", data != "ab", "ab" == data, "a" in data, data in "xaby", "x" in ["x"], "x" == 3
        print unicode("abc"), unichr(65), ord("a"), intern("x"), repr("a\\n"), str(u"b")
        print re.sub(r"[^a-z]", " ", u"a1b2".encode("utf-8")), re.findall(r"\\w+", "a b")
        """,
    "files": """
        import cPickle as pickle, csv, json, os, struct, tempfile, StringIO, cStringIO, base64, hashlib, zlib
        file("a.txt", "w").write("one two\\nthree\\r\\n4\\n")
        with open("a.txt") as f:
            print f.read().split("\\n"), f.read() == ""
        for line in open("a.txt", "rb"):
            print line.strip().split(" "), line.startswith("t"), len(line)
        f = open("a.txt", "r")
        print repr(f.readline()), f.readlines(), f.tell(), f.close()
        print [line for line in open("a.txt", "rU")]
        f, h = tempfile.TemporaryFile(prefix="a"), os.fdopen(tempfile.mkstemp(dir=".")[0], "w+b")
        print >>f, "one", 2
        print f.seek(0), [line.strip() for line in f], h.write("text"), h.seek(0), h.read() == "text"
        with open("b.bin", "wb") as f:
            f.write(struct.pack("<if", 7, 0.5))
            f.write("tail")
            print >>f, 1, "x"
        data = open("b.bin", "rb").read()
        print struct.unpack("<if", data[:8]), data[8:12], data[8] == "t", len(data), data.endswith("x\\n"), "tail" in data
        with open("c.pkl", "wb") as f:
            pickle.dump({"a": [1, 2.5, "text", None]}, f)
            pickle.dump((1, "b"), f, -1)
        f = open("c.pkl")
        print sorted(pickle.load(f)["a"]), pickle.load(f), pickle.loads(pickle.dumps([1, "x"])), pickle.HIGHEST_PROTOCOL
        class Old:
            def __init__(self, n): self.n = n
        class Mixed(Old, dict): pass
        text = pickle.dumps([Old(7), Mixed(3), "\\xff\\x00"], 2)
        print [loaded.n / 2 for loaded in pickle.loads(text)[:2]], ord(pickle.loads(text)[2][0]), text.count("copy_reg")
        with open("d.csv", "wb") as f:
            csv.writer(f).writerows([["a", 1, 0.1 + 0.2], [u"b".encode("utf-8"), None, "x,y"]])
        print list(csv.reader(open("d.csv", "rb"))), open("d.csv").read()
        json.dump({"n": [1, 0.5]}, open("e.json", "wb"))
        print open("e.json").read(), json.load(open("e.json", "rb"))["n"], json.loads('[1]')
        raw = u"caf\\xe9".encode("utf-8")
        print json.dumps([raw, {raw: (raw, 1)}]), repr(json.dumps([1, "x"], indent=1)), json.dumps("\\xff", encoding="latin-1"), json.loads('["a"]', encoding="utf-8")[0]
        json.dump({"k": raw}, open("e.json", "w"))
        print open("e.json").read(), json.JSONEncoder(sort_keys=True).encode({"b": raw, "a": 1})
        s, c = StringIO.StringIO("l1\\nl2\\n"), cStringIO.StringIO()
        print s.readline().strip(), [l for l in s], c.write("abc")
        print >>c, 1 / 2.0
        print repr(c.getvalue()), base64.b64encode("abc"), base64.b64decode("YWJj"), hashlib.md5("abc").hexdigest(), zlib.decompress(zlib.compress("z"))
        print os.path.basename(os.getcwdu()) != "", isinstance(open("a.txt"), file), os.path.exists("a.txt")
        try:
            open("missing.txt")
        except IOError, e:
            print e.errno, e.filename
        """,
    "library": """
        import sys, itertools, random, Queue, ConfigParser, StringIO, urllib, urlparse, types, operator, subprocess, commands, exceptions, __builtin__
        import os.path
        from itertools import izip, imap
        from urllib import quote, urlencode
        from types import *
        from collections import defaultdict, Counter
        print sys.maxint, [a + b for a, b in izip([1, 2], [3, 4])], list(imap(None, "ab", "cd")), list(itertools.ifilter(None, [0, 2]))
        reload(sys)
        sys.setdefaultencoding("utf-8")
        random.seed(1)
        l = range(10)
        random.shuffle(l)
        print l, random.randint(1, 100), random.choice("abcdef"), random.sample(range(100), 3), random.sample(xrange(10), 9), random.random(), random.uniform(1, 2), random.gauss(0, 1), random.randrange(0, 100, 7)
        own = random.Random(7)
        print own.randint(0, 9), own.sample(range(1000), 4), own.choice([1, 2, 3])
        q = Queue.Queue()
        q.put(1)
        print q.get(), q.empty(), quote("a b/c"), urlencode([("a", 1), ("b", "x y")]), urllib.unquote("a%20b"), urlparse.urlparse("http://h/p?q").path
        raw = u"caf\\xe9".encode("utf-8")
        print quote(raw), urllib.quote_plus("a b"), urlencode({"k": raw}), urlencode([(raw, 1)])
        import ctypes, ctypes.util
        from ctypes import c_char_p, create_string_buffer
        class Named(ctypes.Structure):
            _fields_ = [("name", c_char_p), ("n", ctypes.c_int)]
        libc = ctypes.cdll.LoadLibrary(ctypes.util.find_library("c"))
        libc.strstr.argtypes, libc.strstr.restype = [c_char_p, c_char_p], c_char_p
        text = create_string_buffer("buffer", 9)
        named = Named("of a struct", 3)
        print libc.strlen("text"), libc.strlen(text), libc.strstr("a text", "t") + "!", ctypes.CDLL(None).atoi("17") / 2, text.value, len(text), named.name
        named.name = "new"
        print named.name, libc.strlen(c_char_p("abc")), ctypes.string_at("abcdef", 3), libc.wcslen(ctypes.c_wchar_p(u"wide"))
        parser = ConfigParser.SafeConfigParser()
        parser.readfp(StringIO.StringIO("[net]\\nlayers = 3\\nrate = 0.5\\n"))
        print parser.getint("net", "layers") / 2, parser.getfloat("net", "rate"), parser.sections()
        print type(3) == IntType, isinstance("a", StringTypes), type([]) is types.ListType, type(None) == NoneType, operator.div(7, 2)
        print subprocess.check_output(["echo", "hi"]).strip().split(), commands.getoutput("echo there"), __builtin__.len("abc")
        p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        print p.communicate("given")[0].upper(), exceptions.ValueError is ValueError, os.path.join("a", "b")
        try:
            from itertools import nothing
        except ImportError, e:
            print e
        def old(a, b=2): return a
        print old.func_defaults, old.func_code.co_argcount, old.func_name
        """,
    "modules": """
        # main.py
        import package.first
        from package import second
        import plain
        print package.first.half(7), second.name, plain.half(9)
        execfile("late.py")
        print late
        # plain.py
        def half(n): return n / 2
        # late.py
        late = 9 / 2
        print "late"
        # package/__init__.py
        # package/first.py
        import helpers, below.deep
        from helpers import *
        def half(n):
            return (n / 2, helpers.string, below.deep.x, shared)
        # package/second.py
        from __future__ import division
        import string as own
        name = own.x
        # package/helpers.py
        import string
        string = string.x
        shared = 1 / 2
        # package/string.py
        x = "of the package"
        # package/below/__init__.py
        # package/below/deep.py
        x = 5 / 2
        """,
    "a script in a folder with __init__.py": """
        # train.py
        import helpers
        import below.deep as deep, helpers as again
        from helpers import half as of_helpers
        from below import deep as found
        from shared import *
        try:
            from helpers import missing
        except ImportError, error:
            print error
        print helpers.half(7), of_helpers(9), deep.x, found is deep, again is helpers, shared
        # __init__.py
        # helpers.py
        import shared as own
        from shared import shared
        def half(n):
            print("half", n)
            return n / 2 + own.shared - shared
        # shared.py
        shared, _own = 1 / 2, 2
        # below/__init__.py
        # below/deep.py
        print("deep", __name__)
        x = 5 / 2
        """,
    "built-in functions": """
        from __future__ import print_function
        import copy, cPickle, gzip, os, re, StringIO, struct, tempfile
        print(0.1 + 0.2, 1.0 / 3, [0.1], type(1.5), type([]), sep=", ")
        print(eval("7 / 2"), eval("n / 4", {"n": 9}), eval(compile("map(abs, [-1])", "text", "eval")), coerce(1, 2.5))
        exec(compile("half = 5 / 2", "text", "exec"))
        print(half, bytes(12), bytearray("ab")[0], buffer("abc", 1)[0], isinstance("a", bytes))
        class Shown(object):
            def __unicode__(self): return u"unicode"
            def __repr__(self): return "repr"
            def method(self): return 7 / 2
        print(Shown(), Shown.method.im_func.func_name)
        data = struct.pack("<I", 7) + chr(200) + chr(0)
        print(repr(data), map(ord, data), data[-1] == chr(0), bool(data[-1]), repr(copy.deepcopy([data])))
        print(cPickle.loads(cPickle.dumps(data, 2)) == data, "ByteText" in cPickle.dumps(data, 2))
        name = os.path.join(tempfile.mkdtemp(), "file")
        with gzip.open(name, "wb") as written:
            written.write("text" + data)
        with open(name, "rb") as raw:
            print(repr(gzip.GzipFile(fileobj=raw).read()))
        stream = StringIO.StringIO("four")
        print(stream.len, re.split(re.compile("(\\W+)?"), "to be."), re.split("x*", "axb"))
        """,
}


def files(name):
    """The files of a program, as {path: text}; the first is run."""
    lines = PROGRAMS[name].split("\n")[1:-1]
    text = "".join(line[8:] + "\n" for line in lines)
    parts = re.split(r"^# ([\w/]+\.py)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2])) if len(parts) > 1 else {"main.py": text}


def write(name, folder):
    """Writes a program into a folder; returns the path of the file to run."""
    found = files(name)
    for path, text in found.items():
        target = os.path.join(str(folder), path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    return next(iter(found))


def record():
    outputs = {}
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            command = [os.environ["TFMINI_PYTHON2"], write(name, folder)]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            assert not done.returncode, done.stderr
            outputs[name] = done.stdout
    goldens.write(PATH, outputs)


if __name__ == "__main__":
    record()
