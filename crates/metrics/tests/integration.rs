//! Small repositories whose dependency integration ratio is counted by hand.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use slopbench_metrics::integration::{Integration, ModuleKind};

/// A repository: what it is about, its files, |E_total|, |E_used|, and the symbols that are not used.
struct Small {
    about: &'static str,
    files: &'static [(&'static str, &'static str)],
    total: u64,
    used: u64,
    unused: &'static [&'static str],
}

const LIB: &str = "def f(): pass\ndef g(): pass\nclass C: pass\nLIMIT = 3\n";

#[rustfmt::skip]
const SMALL: &[Small] = &[
    Small { about: "nothing", files: &[], total: 0, used: 0, unused: &[] },
    Small { about: "nothing uses a module", files: &[("lib.py", LIB)], total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "from imports", files: &[("lib.py", LIB), ("main.py", "from lib import f, C\nif __name__ == '__main__':\n    f()\n")],
        total: 4, used: 2, unused: &["LIMIT", "g"] },
    Small { about: "from imports under other names", files: &[("lib.py", LIB), ("main.py", "from lib import f as g\ng()\nif '__main__' == __name__: pass\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "an import alone uses nothing", files: &[("lib.py", LIB), ("main.py", "import lib\nif __name__ == '__main__': pass\n")],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "attributes of a module", files: &[("lib.py", LIB), ("main.py", "import lib\nif __name__ == '__main__':\n    lib.f(lib.LIMIT)\n")],
        total: 4, used: 2, unused: &["C", "g"] },
    Small { about: "attributes of a module under another name", files: &[("lib.py", LIB), ("main.py", "import lib as l\ndef main(): return l.C()\nif __name__ == '__main__': main()\n")],
        total: 4, used: 1, unused: &["LIMIT", "f", "g"] },
    Small { about: "private names do not count", files: &[("lib.py", "def _f(): pass\n_X = 1\nclass _C: pass\ndef f(): pass\n"), ("__main__.py", "from lib import _f, f\n")],
        total: 1, used: 1, unused: &[] },
    Small { about: "__all__ says what is public", files: &[("lib.py", "__all__ = ['f', '_h']\ndef f(): pass\ndef g(): pass\ndef _h(): pass\n"), ("__main__.py", "from lib import g, _h\n")],
        total: 2, used: 1, unused: &["f"] },
    Small { about: "__all__ in pieces", files: &[("lib.py", "__all__ = ['f'] + ['g']\n__all__ += ('h',)\n__all__.append('C')\n__all__.extend(['X'])\ndef f(): pass\ndef g(): pass\ndef h(): pass\nclass C: pass\nX = 1\nY = 2\n"), ("__main__.py", "import lib\nlib.h()\nlib.Y\n")],
        total: 5, used: 1, unused: &["C", "X", "f", "g"] },
    Small { about: "what __all__ lists and the module only imports is no symbol of its own", files: &[("lib.py", LIB), ("api.py", "from lib import f\n__all__ = ['f', 'own']\ndef own(): pass\n"), ("__main__.py", "from api import own, f\n")],
        total: 5, used: 2, unused: &["C", "LIMIT", "g"] },
    Small { about: "star imports use what is read", files: &[("lib.py", LIB), ("__main__.py", "from lib import *\nf()\nprint(LIMIT)\n")],
        total: 4, used: 2, unused: &["C", "g"] },
    Small { about: "star imports keep to __all__", files: &[("lib.py", "__all__ = ['f']\ndef f(): pass\ndef g(): pass\n"), ("__main__.py", "from lib import *\nf()\ng()\n")],
        total: 1, used: 1, unused: &[] },
    Small { about: "star imports do not bring private names", files: &[("lib.py", "def f(): pass\ndef _g(): pass\n"), ("__main__.py", "from lib import *\n_g()\n")],
        total: 1, used: 0, unused: &["f"] },
    Small { about: "a star import of a star import", files: &[("a.py", LIB), ("b.py", "from a import *\ndef h(): pass\n"), ("__main__.py", "from b import *\nf(h)\n")],
        total: 5, used: 2, unused: &["C", "LIMIT", "g"] },
    Small { about: "names of its own hide those of a star import", files: &[("lib.py", LIB), ("__main__.py", "from lib import *\ndef f(): pass\nf()\n")],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "a package passes on and uses nothing by that", files: &[("p/__init__.py", "from .lib import f, g\n"), ("p/lib.py", LIB)],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "by way of a package", files: &[("p/__init__.py", "from .lib import f, g\n"), ("p/lib.py", LIB), ("run.py", "from p import f\nif __name__ == '__main__': f()\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "attributes of a package that passes on under another name", files: &[("p/__init__.py", "from p.lib import f as run\n"), ("p/lib.py", LIB), ("__main__.py", "import p\np.run()\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "a package that does something with it uses it", files: &[("p/__init__.py", "from .lib import C\nREGISTRY = {'c': C}\n"), ("p/lib.py", LIB)],
        total: 4, used: 1, unused: &["LIMIT", "f", "g"] },
    Small { about: "two packages pass on, one the other's", files: &[("p/__init__.py", "from .q import f\n"), ("p/q/__init__.py", "from .lib import *\n"), ("p/q/lib.py", LIB), ("__main__.py", "from p import f\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "submodules by their full names", files: &[("p/__init__.py", ""), ("p/lib.py", LIB), ("__main__.py", "import p.lib\np.lib.f()\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "a submodule from its package", files: &[("p/__init__.py", ""), ("p/lib.py", LIB), ("__main__.py", "from p import lib\nlib.g(lib.C)\n")],
        total: 4, used: 2, unused: &["LIMIT", "f"] },
    Small { about: "packages without __init__", files: &[("p/q/lib.py", LIB), ("__main__.py", "from p.q import lib\nimport p.q.lib as l\nlib.f()\nl.g()\n")],
        total: 4, used: 2, unused: &["C", "LIMIT"] },
    Small { about: "relative imports", files: &[("p/__init__.py", ""), ("p/a.py", "def f(): pass\n"), ("p/q/__init__.py", ""), ("p/q/b.py", "from ..a import f\nfrom . import c\nfrom .c import h\ndef g(): return c.k()\n"), ("p/q/c.py", "def h(): pass\ndef k(): pass\n")],
        total: 4, used: 3, unused: &["g"] },
    Small { about: "below src", files: &[("src/p/__init__.py", ""), ("src/p/lib.py", LIB), ("scripts/run.py", "from p.lib import f\nif __name__ == '__main__': f()\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "a circle of modules", files: &[("a.py", "import b\ndef f(): return b.g()\n"), ("b.py", "import a\ndef g(): return a.f()\ndef h(): return g()\n")],
        total: 3, used: 2, unused: &["h"] },
    Small { about: "a circle of names that nobody defines", files: &[("a.py", "from b import x\ndef f(): pass\n"), ("b.py", "from a import x\nfrom a import f\n")],
        total: 1, used: 1, unused: &[] },
    Small { about: "tests use nothing", files: &[("lib.py", LIB), ("tests/test_lib.py", "from lib import f, g, C, LIMIT\n"), ("lib_test.py", "import lib\nlib.f()\n"), ("conftest.py", "from lib import f\n")],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "what tests offer does not count", files: &[("test/helpers.py", LIB), ("test_it.py", "X = 1\n"), ("lib.py", "from test.helpers import f\ndef h(): pass\n")],
        total: 1, used: 0, unused: &["h"] },
    Small { about: "a program that only tests import is a script", files: &[("run.py", "def main(): pass\nif __name__ == '__main__': main()\n"), ("tests/test_run.py", "from run import main\n")],
        total: 0, used: 0, unused: &[] },
    Small { about: "a program that others import is a module, and its own use of itself none", files: &[("run.py", "def main(): pass\ndef other(): pass\nif __name__ == '__main__': main()\n"), ("lib.py", "from run import other\n")],
        total: 2, used: 1, unused: &["main"] },
    Small { about: "what the main guard defines is no symbol", files: &[("run.py", "def main(): pass\nif __name__ == '__main__':\n    result = main()\n    import lib\n    lib.f()\n"), ("lib.py", LIB), ("use.py", "from run import main\n")],
        total: 5, used: 2, unused: &["C", "LIMIT", "g"] },
    Small { about: "parameters hide modules", files: &[("lib.py", LIB), ("use.py", "import lib\ndef h(lib): return lib.f()\nk = lambda lib: lib.g()\n")],
        total: 6, used: 0, unused: &["C", "LIMIT", "f", "g", "h", "k"] },
    Small { about: "variables hide modules in the whole function", files: &[("lib.py", LIB), ("use.py", "import lib\ndef h():\n    lib.f()\n    lib = 1\ndef k(): return [lib for lib in lib.LIMIT]\n")],
        total: 6, used: 1, unused: &["C", "f", "g", "h", "k"] },
    Small { about: "imports in functions and classes", files: &[("lib.py", LIB), ("use.py", "class K:\n    import lib\n    x = lib.f\n    def m(self):\n        from lib import g\n        return lib.C\n")],
        total: 5, used: 2, unused: &["C", "K", "LIMIT"] },
    Small { about: "one of two imports", files: &[("fast.py", "def f(): pass\n"), ("slow.py", "def f(): pass\n"), ("use.py", "try:\n    import fast as m\nexcept ImportError:\n    import slow as m\nm.f()\n")],
        total: 2, used: 2, unused: &[] },
    Small { about: "definitions below if and try, several names at once, and types", files: &[("lib.py", "import sys\nif sys.platform == 'x':\n    def f(): pass\nelse:\n    f = None\ntry:\n    A, (B, *D) = 1, (2, 3)\nexcept Exception as e:\n    pass\nfor i in range(3): pass\nX: int\nY: int = 1\ntype T = int\n"), ("use.py", "from lib import f, D, T, i\n")],
        total: 6, used: 3, unused: &["A", "B", "Y"] },
    Small { about: "decorators, bases, defaults and annotations read names", files: &[("lib.py", "def d(f): return f\nclass B: pass\nX = 1\nclass T: pass\nclass R: pass\nclass N: pass\n"), ("use.py", "import lib\n@lib.d\ndef f(x: lib.T = lib.X) -> lib.R: pass\nclass K(lib.B): pass\ny: 'lib.N' = 1\n")],
        total: 9, used: 5, unused: &["K", "N", "f", "y"] },
    Small { about: "modules that are imported by name are not followed", files: &[("lib.py", LIB), ("use.py", "import importlib\nm = importlib.import_module('lib')\nm.f()\nn = __import__('lib')\n")],
        total: 6, used: 0, unused: &["C", "LIMIT", "f", "g", "m", "n"] },
    Small { about: "what is of another package is nobody's", files: &[("numpy_like.py", LIB), ("use.py", "import numpy as np\nfrom os import path\nnp.f()\npath.g()\n")],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
    Small { about: "a broken file is left out", files: &[("lib.py", LIB), ("broken.py", "def f(:\n"), ("use.py", "from lib import f\n")],
        total: 4, used: 1, unused: &["C", "LIMIT", "g"] },
    Small { about: "calls through a class, and what is stored in a module", files: &[("lib.py", "class C:\n    @classmethod\n    def make(cls): pass\nSEED = 0\nclass D: pass\n"), ("use.py", "import lib\nlib.SEED = 1\nc = lib.C.make()\n")],
        total: 4, used: 2, unused: &["D", "c"] },
    Small { about: "a module of the name of a package's own variable", files: &[("p/__init__.py", "lib = 3\n"), ("p/lib.py", LIB), ("use.py", "from p import lib\nlib.f()\n")],
        total: 4, used: 0, unused: &["C", "LIMIT", "f", "g"] },
];

fn integration(files: &[(&str, &str)]) -> Integration {
    let sources: Vec<_> =
        files.iter().rev().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Integration::of_sources(&sources)
}

#[test]
fn every_small_repository_has_the_ratio_that_is_counted_by_hand() {
    assert!(SMALL.len() >= 40, "{}", SMALL.len());
    let mut wrong = Vec::new();
    for small in SMALL {
        let found = integration(small.files);
        let mut unused: Vec<_> = found.unused.iter().map(|symbol| symbol.name.as_str()).collect();
        unused.sort_unstable();
        let dir = if small.total == 0 { 0.0 } else { small.used as f64 / small.total as f64 };
        let (counted, expected) =
            ((found.total, found.used, &unused[..], found.dir), (small.total, small.used, small.unused, dir));
        if counted != expected {
            wrong.push(format!("{}: {counted:?}, expected {expected:?}", small.about));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// `f` is called by the script, `g` by a module that no script reaches, `C` only read; a package passes `LIMIT` on.
#[test]
fn variants_count_less_or_more() {
    let files = [
        ("p/__init__.py", "from .lib import LIMIT\n"),
        ("p/lib.py", LIB),
        ("aside.py", "import p.lib\nx = p.lib.g()\n"),
        ("run.py", "from p import lib\nif __name__ == '__main__':\n    print(lib.f(), lib.C)\n"),
    ];
    let found = integration(&files);
    assert_eq!((found.total, found.used, found.used_or_passed_on), (5, 3, 4));
    assert_eq!((found.called, found.reachable), (2, Some(2)));
    assert_eq!(integration(&files[..3]).reachable, None);
    let kinds: Vec<_> = found.modules.iter().map(|module| (module.path.as_str(), module.kind, module.total)).collect();
    let expected = [
        ("aside.py", ModuleKind::Standalone, 1),
        ("p/__init__.py", ModuleKind::Package, 0),
        ("p/lib.py", ModuleKind::Standalone, 4),
        ("run.py", ModuleKind::EntryScript, 0),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn what_cannot_be_followed_is_named_with_its_place() {
    let files = [
        ("lib.py", "__all__ = [name for name in 'ab']\ndef f(): pass\n"),
        ("lazy.py", "def __getattr__(name): return name\n"),
        (
            "use.py",
            "import importlib, lib, lazy\nfrom lib import nothing\nfrom .nowhere import x\nimport lib.sub\nlib.gone()\n\
             importlib.import_module('lib')\nimportlib.import_module(x)\nlazy.anything()\nfrom lazy import more\n\
             print(lib.__name__)\n",
        ),
    ];
    let found: Vec<_> = integration(&files)
        .unresolved
        .into_iter()
        .map(|one| format!("{}:{}: {}", one.path, one.line, one.detail))
        .collect();
    let expected = [
        "lib.py:1: __all__ is computed",
        "use.py:2: import of nothing from lib: there is no such name",
        "use.py:3: import of .nowhere: there is no such module",
        "use.py:4: import of lib.sub: there is no such module",
        "use.py:5: gone of lib: there is no such name",
        "use.py:6: importlib.import_module(\"lib\")",
        "use.py:7: importlib.import_module(…)",
    ];
    assert_eq!(found, expected);
    let broken = integration(&[("broken.py", "def f(:\n")]);
    assert_eq!((broken.skipped.len(), broken.modules.len()), (1, 0));
}
