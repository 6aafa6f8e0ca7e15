import sys
import os
import gc
import re
import pickle
import resource
import signal
from functools import cmp_to_key
from math import gcd
from bisect import bisect_right

LIM = 10 ** 10000
NLIM = -LIM
MAXBITS = 33220


DEBUG = None        # the debugger
START = {}          # first tokens of statements
INFO = {}           # blocks around statements
CALLS = []          # under the debugger: active calls outside of coroutines
STATE = [None, None, 0]


class Unset:
    pass


UNSET = Unset()


class StaticErr(Exception):
    def __init__(self, code, pos):
        self.code = code
        self.pos = pos


class Err(Exception):
    """A failure; value and shown are only there for the statement fail."""

    def __init__(self, code, pos):
        self.code = code
        self.value = code
        self.pos = pos
        self.trace = []


# ---------------------------------------------------------------- values

class Q:
    __slots__ = ('n', 'd')

    def __init__(self, n, d):
        self.n = n
        self.d = d

    def __eq__(self, o):
        return type(o) is Q and self.n == o.n and self.d == o.d

    def __hash__(self):
        return hash((self.n, self.d))


class KeyBool:
    """Stands for a boolean as the key of a map, since True == 1."""
    __slots__ = ()


KT = KeyBool()
KF = KeyBool()


def norm(k, pos):
    t = type(k)
    if t is str or t is int or t is Q or k is None:
        return k
    if t is bool:
        return KT if k else KF
    raise Err('key', pos)


def denorm(k):
    if type(k) is KeyBool:
        return k is KT
    return k


class Builtin:
    __slots__ = ('name', 'lo', 'hi', 'fn', 'special')

    def __init__(self, name, lo, hi, fn):
        self.special = fn is None       # one that is for drive()
        self.name = name
        self.lo = lo
        self.hi = hi
        self.fn = fn


class Fn:
    __slots__ = ('name', 'n', 'body', 'tail', 'code')

    def __init__(self, name, n, body, tail, code):
        self.name = name
        self.n = n
        self.body = body
        self.tail = tail
        self.code = code


class Code:
    """What a function is in coroutines; made when it is first called in one."""

    def __init__(self, node):
        self.node = node
        self.run = None
        self.pad = None

    def make(self):
        g = GCompiler(self.node[5])
        self.isgen, self.run = g.gblock(self.node[4], self.node[3])
        self.pad = [None] * g.ntmp


class Coro:
    __slots__ = ('name', 'state', 'fn', 'args', 'stack', 'catching', 'closing', 'hidden', 'ypos')

    def __init__(self, fn, args):
        self.name = fn.name
        self.fn = fn
        self.args = args
        self.state = 'new'
        self.stack = []         # [generator, frame, function name, place of the call]
        self.catching = 0
        self.closing = False
        self.hidden = 0         # of stack: no calls


class Closing(Exception):
    pass


def make(n, d, pos):
    """The number n/d, checked and normalised."""
    g = gcd(n, d)
    if g != 1:
        n //= g
        d //= g
    if d < 0:
        n = -n
        d = -d
    if not NLIM < n < LIM or d >= LIM:
        raise Err('size', pos)
    if d == 1:
        return n
    return Q(n, d)


def nd(x, pos):
    t = type(x)
    if t is int:
        return x, 1
    if t is Q:
        return x.n, x.d
    raise Err('type', pos)


def s_add(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    return make(a * d + c * b, b * d, pos)


def s_sub(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    return make(a * d - c * b, b * d, pos)


def s_mul(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    return make(a * c, b * d, pos)


def s_div(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    if c == 0:
        raise Err('zero', pos)
    return make(a * d, b * c, pos)


def s_idiv(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    if c == 0:
        raise Err('zero', pos)
    return make((a * d) // (b * c), 1, pos)


def s_mod(x, y, pos):
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    if c == 0:
        raise Err('zero', pos)
    return make((a * d) % (b * c), b * d, pos)


def s_pow(x, y, pos):
    a, b = nd(x, pos)
    e, q = nd(y, pos)
    if q != 1:
        raise Err('exponent', pos)
    if a == 0 and e < 0:
        raise Err('zero', pos)
    if e == 0:
        return 1
    if b == 1:
        if a == 0 or a == 1:
            return a
        if a == -1:
            return -1 if e & 1 else 1
    m = max(abs(a), b)
    if (m.bit_length() - 1) * abs(e) > MAXBITS:
        raise Err('size', pos)
    if e < 0:
        e = -e
        a, b = b, a
        if b < 0:
            a, b = -a, -b
    n = a ** e
    d = b ** e
    if not NLIM < n < LIM or d >= LIM:
        raise Err('size', pos)
    if d == 1:
        return n
    return Q(n, d)


def s_cat(x, y, pos):
    t = type(x)
    if t is type(y) and (t is str or t is list):
        if len(x) + len(y) > MOST:
            raise Err('size', pos)
        return x + y
    raise Err('type', pos)


def cmp_pair(x, y, pos):
    t = type(x)
    if t is str:
        if type(y) is str:
            return x, y
        raise Err('type', pos)
    a, b = nd(x, pos)
    c, d = nd(y, pos)
    return a * d, c * b


def s_lt(x, y, pos):
    a, b = cmp_pair(x, y, pos)
    return a < b


def s_le(x, y, pos):
    a, b = cmp_pair(x, y, pos)
    return a <= b


def s_gt(x, y, pos):
    a, b = cmp_pair(x, y, pos)
    return a > b


def s_ge(x, y, pos):
    a, b = cmp_pair(x, y, pos)
    return a >= b


def equal(x, y):
    if x is y:
        return True
    t = type(x)
    if t is not type(y):
        return False
    if t is list or t is dict:
        return list_equal(x, y)
    if t is Q:
        return x.n == y.n and x.d == y.d
    return x == y


def s_eq(x, y, pos):
    return equal(x, y)


def s_ne(x, y, pos):
    return not equal(x, y)


def list_equal(x, y):
    parent = {}
    stack = [(x, y)]
    while stack:
        x, y = stack.pop()
        if len(x) != len(y):
            return False
        i = id(x)
        j = id(y)
        while True:
            p = parent.get(i, i)
            if p == i:
                break
            parent[i] = i = parent.get(p, p)
        while True:
            p = parent.get(j, j)
            if p == j:
                break
            parent[j] = j = parent.get(p, p)
        if i == j:
            continue
        parent[i] = j
        if type(x) is dict:
            pairs = []
            for k, v in x.items():
                if k not in y:
                    return False
                pairs.append((v, y[k]))
        else:
            pairs = zip(x, y)
        for a, b in pairs:
            if a is b:
                continue
            t = type(a)
            if t is not type(b):
                return False
            if t is list or t is dict:
                stack.append((a, b))
            elif t is Q:
                if a.n != b.n or a.d != b.d:
                    return False
            elif a != b:
                return False
    return True


SPECIAL = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t'}
SPECIAL_RE = re.compile('["\\\\\x00-\x1f\x7f]')


def esc(m):
    c = m.group()
    return SPECIAL.get(c) or '\\u{%x}' % ord(c)


def show_flat(x):
    t = type(x)
    if t is int:
        return str(x)
    if t is str:
        return '"' + SPECIAL_RE.sub(esc, x) + '"'
    if x is None:
        return 'nil'
    if t is bool:
        return 'true' if x else 'false'
    if t is Q:
        return '%d/%d' % (x.n, x.d)
    if t is Fn:
        return '<fn %s>' % x.name if x.name else '<fn>'
    if t is Coro:
        return '<coroutine %s>' % x.name if x.name else '<coroutine>'
    return '<builtin %s>' % x.name


def map_items(m):
    """Keys and values in turn; keys are shown already."""
    for k, v in m.items():
        yield KeyText(show_flat(denorm(k)))
        yield v


class KeyText:
    __slots__ = ('text',)

    def __init__(self, text):
        self.text = text


MOST = 1000000


class TooLong(Exception):
    pass


def show(x, most=MOST):
    if type(x) is not list and type(x) is not dict:
        r = show_flat(x)
        if len(r) > most:
            raise TooLong()
        return r
    out = []
    size = 0
    path = set()
    stack = []
    push = x
    while True:
        if push is not None:
            path.add(id(push))
            if type(push) is dict:
                out.append('{')
                stack.append((push, map_items(push)))
            else:
                out.append('[')
                stack.append((push, iter(push)))
            first = True
            push = None
        cur, it = stack[-1]
        for v in it:
            t = type(v)
            size += len(out[-1])
            if size > most:
                raise TooLong()
            if t is KeyText:
                if first:
                    first = False
                else:
                    out.append(', ')
                out.append(v.text)
                out.append(': ')
                continue
            if type(cur) is list:
                if first:
                    first = False
                else:
                    out.append(', ')
            if t is list or t is dict:
                if id(v) in path:
                    out.append('[...]' if t is list else '{...}')
                    continue
                push = v
                break
            out.append(show_flat(v))
        else:
            out.append(']' if type(cur) is list else '}')
            path.discard(id(cur))
            stack.pop()
            first = False
            if not stack:
                r = ''.join(out)
                if len(r) > most:
                    raise TooLong()
                return r


def to_text(x):
    if type(x) is str:
        return x
    return show(x)


def show_short(x):
    try:
        return show(x)
    except TooLong:
        return '...'


# ---------------------------------------------------------------- built in

OUT = []
OUTSIZE = 0


def flush():
    global OUTSIZE
    if OUT:
        data = ''.join(OUT).encode('utf-8', 'surrogatepass')
        OUT.clear()
        OUTSIZE = 0
        sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def b_print(args, pos):
    global OUTSIZE
    try:
        s = ' '.join([to_text(a) for a in args]) + '\n'
    except TooLong:
        raise Err('size', pos)
    if DEBUG is not None and DEBUG.quiet:
        return None
    OUT.append(s)
    OUTSIZE += len(s)
    if OUTSIZE > 65536:
        flush()
    return None


def b_text(args, pos):
    try:
        return to_text(args[0])
    except TooLong:
        raise Err('size', pos)


def b_join(args, pos):
    n = 0
    parts = []
    try:
        for a in args:
            t = to_text(a)
            n += len(t)
            if n > MOST:
                raise TooLong()
            parts.append(t)
    except TooLong:
        raise Err('size', pos)
    return ''.join(parts)


def b_quote(args, pos):
    try:
        return show(args[0])
    except TooLong:
        raise Err('size', pos)


TYPES = {type(None): 'nil', bool: 'boolean', int: 'number', Q: 'number', str: 'text', list: 'list',
         dict: 'map', Coro: 'coroutine'}


def b_type(args, pos):
    return TYPES.get(type(args[0]), 'function')


NUM_RE = re.compile(r'(-?)([0-9]+)(?:\.([0-9]+)|/([0-9]+))?')


def b_number(args, pos):
    t = args[0]
    if type(t) is not str:
        raise Err('type', pos)
    m = NUM_RE.fullmatch(t)
    if m is None:
        return None
    sign, a, fr, den = m.groups()
    a = a.lstrip('0')
    if den is not None:
        den = den.lstrip('0')
        if not den:
            return None
        if not a:
            return 0
        z = min(len(a) - len(a.rstrip('0')), len(den) - len(den.rstrip('0')))
        if z:
            a = a[:-z]
            den = den[:-z]
        n = int(a)
        d = int(den)
    else:
        if len(a) > 10000:
            raise Err('size', pos)
        fr = (fr or '').rstrip('0')
        if len(fr) > MAXBITS + 10:
            raise Err('size', pos)
        n = int(a + fr or '0')
        d = 10 ** len(fr)
    if sign:
        n = -n
    return make(n, d, pos)


def whole(v, pos):
    """v is a number, or the error type."""
    t = type(v)
    if t is not int and t is not Q:
        raise Err('type', pos)


def b_decimal(args, pos):
    x, n = args
    whole(x, pos)
    whole(n, pos)
    if type(n) is not int or not 0 <= n <= 1000:
        raise Err('index', pos)
    a, b = nd(x, pos)
    neg = a < 0
    r = (2 * abs(a) * 10 ** n + b) // (2 * b)
    s = str(r)
    if n:
        s = s.rjust(n + 1, '0')
        s = s[:-n] + '.' + s[-n:]
    if neg and r:
        s = '-' + s
    return s


def b_len(args, pos):
    x = args[0]
    t = type(x)
    if t is list or t is str or t is dict:
        return len(x)
    raise Err('type', pos)


def b_push(args, pos):
    l = args[0]
    if type(l) is not list:
        raise Err('type', pos)
    if len(l) >= MOST:
        raise Err('size', pos)
    l.append(args[1])
    return None


def b_pop(args, pos):
    l = args[0]
    if type(l) is not list:
        raise Err('type', pos)
    if not l:
        raise Err('index', pos)
    return l.pop()


def b_cut(args, pos):
    x, a, b = args
    t = type(x)
    if t is not list and t is not str:
        raise Err('type', pos)
    whole(a, pos)
    whole(b, pos)
    if type(a) is not int or type(b) is not int or not 0 <= a <= b <= len(x):
        raise Err('index', pos)
    return x[a:b]


def b_keys(args, pos):
    m = args[0]
    if type(m) is not dict:
        raise Err('type', pos)
    return [denorm(k) for k in m]


def b_has(args, pos):
    m, k = args
    if type(m) is not dict:
        raise Err('type', pos)
    return norm(k, pos) in m


def b_remove(args, pos):
    m, k = args
    if type(m) is not dict:
        raise Err('type', pos)
    k = norm(k, pos)
    if k not in m:
        raise Err('missing', pos)
    return m.pop(k)


def b_range(args, pos):
    a, b = args
    whole(a, pos)
    whole(b, pos)
    if type(a) is not int or type(b) is not int:
        raise Err('index', pos)
    if b - a > MOST:
        raise Err('size', pos)
    return list(range(a, b))


def b_spawn(args, pos):
    f = args[0]
    if type(f) is not Fn:
        raise Err('type', pos)
    if len(args) - 1 != f.n:
        raise Err('arity', pos)
    return Coro(f, args[1:])


def b_status(args, pos):
    if type(args[0]) is not Coro:
        raise Err('type', pos)
    return args[0].state


INF = 1 << 60
BUILTINS = {}
for _n, _lo, _hi, _fn in [
        ('print', 0, INF, b_print), ('text', 1, 1, b_text), ('quote', 1, 1, b_quote),
        ('type', 1, 1, b_type), ('number', 1, 1, b_number), ('decimal', 2, 2, b_decimal),
        ('len', 1, 1, b_len), ('push', 2, 2, b_push), ('pop', 1, 1, b_pop), ('cut', 3, 3, b_cut),
        ('range', 2, 2, b_range), ('keys', 1, 1, b_keys), ('has', 2, 2, b_has),
        ('remove', 2, 2, b_remove), ('spawn', 1, INF, b_spawn), ('status', 1, 1, b_status),
        ('resume', 1, 2, None), ('yield', 0, 1, None), ('close', 1, 1, None), ('interrupt', 2, 2, None)]:
    BUILTINS[_n] = Builtin(_n, _lo, _hi, _fn)

B_RESUME = BUILTINS['resume']
B_YIELD = BUILTINS['yield']
B_INTERRUPT = BUILTINS['interrupt']
B_CLOSE = BUILTINS['close']
B_NEXT = Builtin('next', 1, 1, None)    # of for
END = object()
BUILTINS['sort'] = B_SORT = Builtin('sort', 1, 2, None)
B_JOIN = Builtin('join', 0, INF, b_join)      # of texts with insertions

# ---------------------------------------------------------------- lexer

KEYWORDS = set('let var if else while break continue true false nil and or not '
               'fn return for in try catch finally fail match case use as pub'.split())
TOKEN_RE = re.compile(r'''
    (?P<skip>(?:[ \t\n]+|\#[^\n]*)+)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<num>[0-9]+(?:\.[0-9]+)?)
  | (?P<text>")
  | (?P<op>\+\+=|\+\+|\+=|-=|\*=|\*\*|//|==|!=|<=|>=|\.\.|[-+*/%<>=()\[\]{},;.:|^])
  | (?P<bad>.)
''', re.X | re.S)
PIECE_RE = re.compile(r'(?:[^"\\\n]|\\[^\n(])*("|\\\()')
ESC_RE = re.compile(r'\\(?:([nt"\\])|u\{([0-9A-Fa-f]{1,6})\}|)')
ESCAPES = {'n': '\n', 't': '\t', '"': '"', '\\': '\\'}


def unescape(m, base):
    if m.group(1):
        return ESCAPES[m.group(1)]
    h = m.group(2)
    if h:
        c = int(h, 16)
        if c <= 0x10ffff and not 0xd800 <= c <= 0xdfff:
            return chr(c)
    raise StaticErr('escape', base + m.start())


def lex(src, base):
    kinds = []
    vals = []
    poss = []
    i = 0
    opened = []     # the open parentheses of each insertion
    while i < len(src):
        m = TOKEN_RE.match(src, i)
        i = m.end()
        k = m.lastgroup
        if k == 'skip':
            continue
        s = m.group()
        p = base + m.start()
        v = s
        if k == 'name':
            if s in KEYWORDS:
                k = s
        elif k == 'op':
            k = s
            if opened:
                if s == '(':
                    opened[-1] += 1
                elif s == ')':
                    opened[-1] -= 1
                    if opened[-1] < 0:
                        opened.pop()
                        k = 'tend'
        elif k == 'num':
            if len(s) > 10000:
                v = StaticErr('literal', p)
            elif '.' in s:
                a, fr = s.split('.')
                v = make(int(a + fr), 10 ** len(fr), p)
            else:
                v = int(s)
        if k == 'text' or k == 'tend':
            pm = PIECE_RE.match(src, i)
            if pm is None:
                # not ended, but what is wrong behind a backslash comes first
                try:
                    ESC_RE.sub(lambda m: unescape(m, p + 1), src[i:].split('\n', 1)[0])
                    v = StaticErr('syntax', p)
                except StaticErr as e:
                    v = e
            else:
                v = src[i:pm.start(1)]
                i = pm.end()
                more = pm.group(1) != '"'
                if '\\' in v:
                    try:
                        v = ESC_RE.sub(lambda m: unescape(m, p + 1), v)
                    except StaticErr as e:
                        v = e
                if more and type(v) is str:
                    opened.append(0)
                    k = 'topen' if k == 'text' else 'tmid'
        kinds.append(k)
        vals.append(v)
        poss.append(p)
    kinds.append('eof')
    vals.append(None)
    poss.append(base + len(src))
    return kinds, vals, poss


# ---------------------------------------------------------------- parser

PREC = {'or': 1, 'and': 2, '==': 4, '!=': 4, '<': 4, '<=': 4, '>': 4, '>=': 4,
        '++': 5, '+': 6, '-': 6, '*': 7, '/': 7, '//': 7, '%': 7}
ASSIGN = {'=': None, '+=': '+', '-=': '-', '*=': '*', '++=': '++'}


class Pat:
    """A pattern: its names with their first places, the ^ names, and what its ways are like."""

    def __init__(self, node):
        self.node = node
        self.pos = node[1]
        self.names = {}
        self.reads = []
        self.errors = []
        self.repeats = False
        self.alts = False
        self.multi = False
        self.scan(node)
        self.slots = None

    def scan(self, p):
        k = p[0]
        if k == 'p_name':
            if p[2] not in self.names:
                self.names[p[2]] = p[1]
            return {p[2]}
        if k == 'p_var':
            p.append(len(self.reads))
            self.reads.append(p[2])
            return set()
        if k == 'p_alt':
            self.alts = True
            res = None
            i = 0
            for q in p[2]:
                r = self.scan(q)
                if res is None:
                    res = first = r
                else:
                    if r != first:
                        self.errors.append(p[3][i - 1])
                        res = res | r
                i += 1
            return res
        if k == 'p_list':
            kids = p[2] + ([p[4]] if p[4] else []) + p[5]
        elif k == 'p_row':
            self.multi = True
            kids = []
            for q in p[2]:
                if q[0] != 'p_rest':
                    kids.append(q)
                elif q[2]:
                    kids.append(q[2])
        elif k == 'p_map':
            kids = []
            for key, q in p[2]:
                kids.append(q)
        else:
            return set()
        res = set()
        for q in kids:
            r = self.scan(q)
            if r:
                if len(r) > len(res):
                    res, r = r, res
                for n in r:
                    if n in res:
                        self.repeats = True
                    res.add(n)
        return res

    def plain(self):
        return self.node[0] == 'p_name'


class Blk:
    __slots__ = ('stmts', 'vars', 'fns')

    def __init__(self, stmts):
        self.stmts = stmts
        self.vars = ()
        self.fns = ()


class Parser:
    def __init__(self, src, base):
        self.kinds, self.vals, self.poss = lex(src, base)
        self.i = 0

    def fail(self):
        raise StaticErr('syntax', self.poss[self.i])

    def expect(self, k):
        i = self.i
        if self.kinds[i] != k:
            self.fail()
        self.i = i + 1
        return self.poss[i]

    def program(self):
        body = []
        while self.kinds[self.i] != 'eof':
            k = self.kinds[self.i]
            if k == 'use':
                p = self.poss[self.i]
                body.append(self.use())
                START[id(body[-1])] = p
            elif k == 'pub':
                p = self.poss[self.i]
                self.i += 1
                k = self.kinds[self.i]
                if k == 'use':
                    body.append(self.use(True))
                    START[id(body[-1])] = p
                    continue
                if k == 'fn':
                    if self.kinds[self.i + 1] != 'name':
                        self.i += 1
                        self.fail()
                elif k != 'let' and k != 'var':
                    self.fail()
                s = self.statement()
                s[-1] = True
                START[id(s)] = p
                body.append(s)
            else:
                body.append(self.statement())
        return Blk(body)

    def use(self, pub=False):
        pos = self.expect('use')
        i = self.i
        p = self.expect('text')
        path = self.vals[i]
        if type(path) is StaticErr:
            raise path
        names = []
        whole = self.kinds[self.i] == 'as' and not pub
        if whole:
            self.i += 1
            names.append(self.name())
        else:
            self.expect('for')
            names.append(self.name())
            while self.kinds[self.i] == ',':
                self.i += 1
                names.append(self.name())
        self.expect(';')
        return ['use', pos, path, p, whole, names, None, pub]

    def block(self):
        self.expect('{')
        body = []
        while self.kinds[self.i] != '}':
            body.append(self.statement())
        self.i += 1
        return Blk(body)

    def function(self, name):
        pos = self.expect('(')
        params = []
        if self.kinds[self.i] == ')':
            self.i += 1
        else:
            while True:
                params.append(self.name())
                if self.kinds[self.i] != ',':
                    break
                self.i += 1
            self.expect(')')
        return ['fn', pos, name, params, self.block(), None]

    def name(self):
        i = self.i
        if self.kinds[i] != 'name':
            self.fail()
        self.i = i + 1
        return self.vals[i], self.poss[i]

    def statement(self):
        pos = self.poss[self.i]
        s = self.statement1()
        START[id(s)] = pos
        return s

    def statement1(self):
        i = self.i
        k = self.kinds[i]
        pos = self.poss[i]
        if k == 'let' or k == 'var':
            self.i += 1
            pat = self.pattern()
            self.expect('=')
            e = self.expr(1)
            self.expect(';')
            return ['decl', pat[1], Pat(pat), k, e, None, False]
        if k == '{':
            return ['block', pos, self.block()]
        if k == 'if':
            arms = []
            other = None
            while True:
                pos = self.expect('if')
                c = self.expr(1)
                arms.append((pos, c, self.block()))
                if self.kinds[self.i] != 'else':
                    break
                self.i += 1
                if self.kinds[self.i] != 'if':
                    other = self.block()
                    break
            return ['if', pos, arms, other]
        if k == 'while':
            self.i += 1
            c = self.expr(1)
            return ['while', pos, c, self.block()]
        if k == 'fn' and self.kinds[i + 1] == 'name':
            self.i += 1
            n, p = self.name()
            return ['fndecl', p, n, self.function(n), None, False]
        if k == 'return':
            self.i += 1
            e = None
            if self.kinds[self.i] != ';':
                e = self.expr(1)
            self.expect(';')
            return ['return', pos, e, False]
        if k == 'fail':
            self.i += 1
            e = self.expr(1)
            self.expect(';')
            return ['fail', pos, e]
        if k == 'for':
            self.i += 1
            x = Pat(self.pattern())
            self.expect('in')
            e = self.expr(1)
            return ['for', pos, x, e, self.block(), None]
        if k == 'match':
            self.i += 1
            e = self.expr(1)
            self.expect('{')
            cases = []
            other = None
            while self.kinds[self.i] == 'case':
                self.i += 1
                pat = Pat(self.pattern())
                guard = None
                p = self.poss[self.i]
                if self.kinds[self.i] == 'if':
                    self.i += 1
                    guard = self.expr(1)
                cases.append([pat, p, guard, self.block(), None])
            if self.kinds[self.i] == 'else':
                self.i += 1
                other = self.block()
            self.expect('}')
            return ['match', pos, e, cases, other]
        if k == 'try':
            self.i += 1
            a = self.block()
            x = b = c = None
            k = self.kinds[self.i]
            if k == 'catch':
                self.i += 1
                x = self.name()
                b = self.block()
                k = self.kinds[self.i]
            elif k != 'finally':
                self.fail()
            if k == 'finally':
                self.i += 1
                c = self.block()
            return ['try', pos, a, x, b, c, None]
        if k == 'break' or k == 'continue':
            self.i += 1
            self.expect(';')
            return [k, pos]
        e = self.expr(1)
        k = self.kinds[self.i]
        if k in ASSIGN and (e[0] == 'name' or e[0] == 'index' or e[0] == 'member'):
            p = self.poss[self.i]
            self.i += 1
            r = self.expr(1)
            self.expect(';')
            return ['assign', p, e, ASSIGN[k], r]
        self.expect(';')
        return ['expr', pos, e]

    def literal(self):
        """A literal of a pattern; None if there is none here."""
        i = self.i
        k = self.kinds[i]
        pos = self.poss[i]
        neg = k == '-'
        if neg:
            self.i = i = i + 1
            k = self.kinds[i]
            if k != 'num':
                self.fail()
        if k == 'num' or k == 'text':
            v = self.vals[i]
            if type(v) is StaticErr:
                raise v
            if neg:
                v = -v if type(v) is int else Q(-v.n, v.d)
        elif k == 'true':
            v = True
        elif k == 'false':
            v = False
        elif k == 'nil':
            v = None
        else:
            return None
        self.i = i + 1
        return ['p_const', pos, v]

    def pattern(self):
        p = self.option()
        if self.kinds[self.i] != '|':
            return p
        opts = [p]
        bars = []
        while self.kinds[self.i] == '|':
            bars.append(self.poss[self.i])
            self.i += 1
            opts.append(self.option())
        return ['p_alt', p[1], opts, bars]

    def option(self):
        i = self.i
        k = self.kinds[i]
        pos = self.poss[i]
        if k == 'name':
            self.i = i + 1
            n = self.vals[i]
            if n == '_':
                return ['p_any', pos]
            return ['p_name', pos, n]
        p = self.literal()
        if p is not None:
            return p
        if k == '^':
            self.i = i + 1
            n, p = self.name()
            return ['p_var', pos, ['name', p, n, None]]
        if k == '(':
            self.i = i + 1
            p = self.pattern()
            self.expect(')')
            return p
        if k == '[':
            self.i = i + 1
            before = items = []
            after = []
            row = []
            rest = None
            if self.kinds[self.i] == ']':
                self.i += 1
                return ['p_list', pos, before, False, None, after]
            some = 0
            while True:
                if self.kinds[self.i] == '..':
                    some += 1
                    items = after
                    self.i += 1
                    q = None
                    if self.kinds[self.i] == 'name':
                        n, p = self.name()
                        if n != '_':
                            q = rest = ['p_name', p, n]
                    row.append(['p_rest', pos, q])
                else:
                    items.append(self.pattern())
                    row.append(items[-1])
                if self.kinds[self.i] != ',':
                    break
                self.i += 1
            self.expect(']')
            if some > 1:
                return ['p_row', pos, row]
            return ['p_list', pos, before, some > 0, rest, after]
        if k == '{':
            self.i = i + 1
            items = []
            if self.kinds[self.i] == '}':
                self.i += 1
                return ['p_map', pos, items]
            while True:
                key = self.literal()
                if key is None:
                    self.fail()
                self.expect(':')
                items.append((key[2], self.pattern()))
                if self.kinds[self.i] != ',':
                    break
                self.i += 1
            self.expect('}')
            return ['p_map', pos, items]
        self.fail()

    def expr(self, minp):
        maxp = 9
        if minp <= 3 and self.kinds[self.i] == 'not':
            p = self.poss[self.i]
            self.i += 1
            left = ['not', p, self.expr(3)]
            maxp = 2
        else:
            left = self.unary()
        while True:
            op = self.kinds[self.i]
            p = PREC.get(op)
            if p is None or p < minp or p > maxp:
                return left
            pos = self.poss[self.i]
            self.i += 1
            right = self.expr(p + 1)
            left = [op if p <= 2 else 'bin', pos, left, right, op]
            maxp = p - 1 if p == 4 else p

    def unary(self):
        if self.kinds[self.i] == '-':
            p = self.poss[self.i]
            self.i += 1
            return ['neg', p, self.unary()]
        left = self.postfix()
        if self.kinds[self.i] == '**':
            p = self.poss[self.i]
            self.i += 1
            return ['bin', p, left, self.unary(), '**']
        return left

    def items(self, end):
        res = []
        if self.kinds[self.i] == end:
            self.i += 1
            return res
        while True:
            res.append(self.expr(1))
            if self.kinds[self.i] == ',':
                self.i += 1
                continue
            self.expect(end)
            return res

    def postfix(self):
        i = self.i
        k = self.kinds[i]
        pos = self.poss[i]
        self.i = i + 1
        if k == 'name':
            e = ['name', pos, self.vals[i], None]
        elif k == 'num' or k == 'text':
            v = self.vals[i]
            if type(v) is StaticErr:
                raise v
            e = ['const', pos, v]
        elif k == 'topen':
            parts = [['const', pos, self.vals[i]]]
            while True:
                parts.append(self.expr(1))
                i = self.i
                k = self.kinds[i]
                if k != 'tmid' and k != 'tend':
                    self.fail()
                v = self.vals[i]
                if type(v) is StaticErr:
                    raise v
                self.i = i + 1
                parts.append(['const', self.poss[i], v])
                if k == 'tend':
                    break
            e = ['call', pos, ['const', pos, B_JOIN], parts]
        elif k == '(':
            e = self.expr(1)
            self.expect(')')
        elif k == '[':
            e = ['list', pos, self.items(']')]
        elif k == '{':
            items = []
            if self.kinds[self.i] == '}':
                self.i += 1
            else:
                while True:
                    items.append(self.expr(1))
                    self.expect(':')
                    items.append(self.expr(1))
                    if self.kinds[self.i] != ',':
                        break
                    self.i += 1
                self.expect('}')
            e = ['map', pos, items]
        elif k == 'fn':
            e = self.function(None)
        elif k == 'true':
            e = ['const', pos, True]
        elif k == 'false':
            e = ['const', pos, False]
        elif k == 'nil':
            e = ['const', pos, None]
        else:
            self.i = i
            self.fail()
        while True:
            k = self.kinds[self.i]
            if k == '(':
                p = self.poss[self.i]
                self.i += 1
                e = ['call', p, e, self.items(')')]
            elif k == '[':
                p = self.poss[self.i]
                self.i += 1
                x = self.expr(1)
                self.expect(']')
                e = ['index', p, e, x]
            elif k == '.':
                p = self.poss[self.i]
                self.i += 1
                n, q = self.name()
                e = ['member', p, e, ['const', q, n]]
            else:
                return e


# ---------------------------------------------------------------- resolver

class Var:
    # cell: of the outermost block of a source, where it is if it is captured or public
    # kinds are let, var, builtin, module (m of use, target is the module) and import (target is the
    # variable, or None if nothing is known of it)
    __slots__ = ('name', 'kind', 'slot', 'captured', 'early', 'ctx', 'cell', 'target')

    def __init__(self, name, kind, slot, ctx):
        self.name = name
        self.kind = kind
        self.slot = slot
        self.ctx = ctx
        self.captured = False
        self.early = False
        self.cell = None
        self.target = None


class Module:
    def __init__(self, name):
        self.name = name
        self.tree = None        # None if nothing is known of the source
        self.errors = []
        self.pub = {}
        self.again = {}         # what is used and public: the module
        self.cells = []
        self.begun = False
        self.code = None
        self.ctx = Ctx(None)
        self.ctx.pub = self.pub


class Ctx:
    """A function, or the source: its slots (0 is the depth, 1 the result) and what it captures."""

    def __init__(self, outer):
        self.outer = outer
        self.top = self if outer is None else outer.top
        self.next = 2
        self.nslots = 2
        self.captures = {}
        self.loops = 0
        self.tries = 0

    def slot_of(self, v):
        if v.ctx is self:
            return v.slot
        return self.nslots + self.captures[v]


class Resolver:
    def __init__(self, module):
        self.errors = module.errors
        self.info = None
        self.names = {}
        for n, b in BUILTINS.items():
            self.names[n] = [Var(n, 'builtin', b, None)]
        self.ctx = self.top = module.ctx
        self.pub = module.pub
        self.cells = module.cells
        self.D = {k[2:]: getattr(self, k) for k in dir(self) if k.startswith('r_')}

    def error(self, code, pos):
        self.errors.append((pos, code))

    def body(self, blk, params=(), guard=None, top=False):
        ctx = self.ctx
        start = ctx.next
        declared = []
        seen = set()
        again = set()       # what is declared here a second time, and so counts for nothing
        res = []
        for n, p in params:
            if n in seen:
                self.error('redeclared', p)
            seen.add(n)
            v = self.declare(n, 'let', False)
            declared.append(v)
            res.append(v)
        D = self.D
        if guard is not None:
            D[guard[0]](guard)
        last = -1
        fns = []
        for i, s in enumerate(blk.stmts):
            k = s[0]
            if k == 'decl':
                for n, p in s[2].names.items():
                    if n in seen:
                        self.error('redeclared', p)
                        again.add((id(s), n))
                    seen.add(n)
            elif k == 'use':
                names = []
                for n, p in s[5]:
                    m = s[6]
                    if not s[4] and m.tree is not None and n not in m.pub:
                        self.error('member', p)
                        continue
                    if n in seen:
                        self.error('redeclared', p)
                        continue
                    seen.add(n)
                    names.append(n)
                s[5] = names
            elif k == 'fndecl':
                last = i
                s[4] = self.declare(s[2], 'let', top)
                if s[2] in seen:
                    self.error('redeclared', s[1])
                    self.names[s[2]].pop()
                else:
                    declared.append(s[4])
                seen.add(s[2])
                fns.append(s)
        vs = []
        for s in blk.stmts[:max(last, 0)]:
            if s[0] == 'decl':
                # the cell is there from the block's begin, so the slot is taken from there on
                s[5] = []
                for n in s[2].names:
                    v = self.declare(n, s[3], top)
                    self.names[n].pop()
                    v.early = True
                    vs.append(v)
                    s[5].append(v)
        outer = self.info
        fvars = [s[4] for s in fns]
        known = []
        for s in blk.stmts:
            INFO[id(s)] = self.info = (outer, res, fvars, known, len(known))
            D[s[0]](s)
            self.info = outer
            if s[0] == 'decl' and s[5] is not None:
                known.extend(s[5])
            if s[0] == 'use':
                for n in s[5]:
                    v = self.declare(n, 'module' if s[4] else 'import', False)
                    v.target = s[6] if s[4] else s[6].pub.get(n)
                    declared.append(v)
            elif s[0] == 'decl':
                if s[5] is None:
                    s[5] = []
                    for n in s[2].names:
                        s[5].append(self.declare(n, s[3], top))
                    known.extend(s[5])
                else:
                    for v in s[5]:
                        self.names[v.name].append(v)
                for v in s[5]:
                    if (id(s), v.name) in again:
                        self.names[v.name].pop()
                    else:
                        declared.append(v)
        blk.vars = vs
        blk.fns = fns
        for v in reversed(declared):
            self.names[v.name].pop()
        ctx.next = start
        return res

    def r_use(self, s):
        pass

    def pat(self, pat):
        for p in pat.errors:
            self.error('names', p)
        for e in pat.reads:
            self.r_name(e)

    def r_match(self, s):
        self.D[s[2][0]](s[2])
        for c in s[3]:
            self.pat(c[0])
            c[4] = self.body(c[3], c[0].names.items(), c[2])
        if s[4] is not None:
            self.body(s[4])

    def declare(self, n, kind, top):
        ctx = self.ctx
        v = self.pub.get(n) if top else None
        if v is None:
            v = Var(n, kind, ctx.next, ctx)
            if top:
                v.cell = [UNSET]
                self.cells.append(v.cell)
        else:
            v.slot = ctx.next
        ctx.next += 1
        if ctx.next > ctx.nslots:
            ctx.nslots = ctx.next
        st = self.names.get(n)
        if st is None:
            self.names[n] = [v]
        else:
            st.append(v)
        return v

    def r_decl(self, s):
        self.D[s[4][0]](s[4])
        self.pat(s[2])

    def r_fndecl(self, s):
        self.r_fn(s[3])

    def r_fn(self, e):
        self.ctx = e[5] = Ctx(self.ctx)
        info = self.info
        self.info = None
        ps = self.body(e[4], e[3])
        self.info = info
        self.ctx = self.ctx.outer
        e[3] = ps

    def r_return(self, s):
        if self.ctx.outer is None:
            self.error('return', s[1])
        s[3] = self.ctx.tries > 0
        if s[2] is not None:
            self.D[s[2][0]](s[2])

    def r_for(self, s):
        self.D[s[3][0]](s[3])
        ctx = self.ctx
        self.pat(s[2])
        s.append(ctx.next)      # the slot of the item, if there is a pattern
        ctx.next += 1
        ctx.nslots = max(ctx.nslots, ctx.next)
        ctx.loops += 1
        s[5] = self.body(s[4], s[2].names.items())
        ctx.next -= 1
        ctx.loops -= 1

    def r_try(self, s):
        ctx = self.ctx
        ctx.tries += 1
        self.body(s[2])
        if s[3] is not None:
            s[6] = self.body(s[4], [s[3]])[0]
        if s[5] is not None:
            self.body(s[5])
        ctx.tries -= 1

    def r_block(self, s):
        self.body(s[2])

    def r_if(self, s):
        for pos, c, b in s[2]:
            self.D[c[0]](c)
            self.body(b)
        if s[3] is not None:
            self.body(s[3])

    def r_while(self, s):
        self.D[s[2][0]](s[2])
        ctx = self.ctx
        ctx.loops += 1
        self.body(s[3])
        ctx.loops -= 1

    def r_break(self, s):
        if not self.ctx.loops:
            self.error('loop', s[1])

    r_continue = r_break

    def r_assign(self, s):
        t = s[2]
        self.D[t[0]](t)
        if t[0] == 'name':
            v = t[3]
            if len(t) > 4:
                # through a module, also one of which nothing is known; a member error is enough
                if t[4] != 'member':
                    self.error('constant', t[1])
            elif v is not None and (v.kind != 'var' or v.cell is not None and v.ctx.top is not self.top):
                self.error('constant', t[1])
        self.D[s[4][0]](s[4])

    def r_expr(self, s):
        self.D[s[2][0]](s[2])

    r_not = r_neg = r_fail = r_expr

    def r_bin(self, e):
        a = e[2]
        self.D[a[0]](a)
        b = e[3]
        self.D[b[0]](b)

    r_and = r_or = r_index = r_bin

    def r_member(self, e):
        x = e[2]
        if x[0] == 'name':
            st = self.names.get(x[2])
            if st and st[-1].kind == 'module':
                m = st[-1].target
                q, n = e[3][1:3]
                v = m.pub.get(n)
                if v is not None:
                    if v.ctx is not self.ctx:
                        v.captured = True
                elif m.tree is not None:
                    self.error('member', q)
                    e[:] = ['name', q, n, None, 'member']
                    return
                e[:] = ['name', q, n, v, True]
                return
        self.D[x[0]](x)


    def r_const(self, e):
        pass

    def r_list(self, e):
        for x in e[2]:
            self.D[x[0]](x)

    r_map = r_list

    def r_call(self, e):
        x = e[2]
        self.D[x[0]](x)
        for x in e[3]:
            self.D[x[0]](x)

    def r_name(self, e):
        st = self.names.get(e[2])
        if not st:
            self.error('undefined', e[1])
            return
        v = st[-1]
        if v.kind == 'module':
            self.error('module', e[1])
            return
        if v.kind == 'import':
            e[3] = v.target
            e.append(True)
            return
        e[3] = v
        ctx = self.ctx
        home = v.ctx
        if home is not ctx and home is not None:
            v.captured = True
            if v.cell is not None:
                return
            while ctx is not home and v not in ctx.captures:
                ctx.captures[v] = len(ctx.captures)
                ctx = ctx.outer


# ---------------------------------------------------------------- compiler

# Closures take the frame f, a list of slots.  Statements give None, or a signal.
BREAK = 1
CONTINUE = 2
RETURN = 3      # the value is in slot 1
TAIL = 4        # slot 1 has the function and its frame
MAXDEPTH = 100000
CATCHING = 0    # active blocks of try with a catch, of the coroutine that is running



SLOW = {'+': s_add, '-': s_sub, '*': s_mul, '/': s_div, '//': s_idiv, '%': s_mod, '**': s_pow,
        '++': s_cat, '==': s_eq, '!=': s_ne, '<': s_lt, '<=': s_le, '>': s_gt, '>=': s_ge}

OPERAND = {'c': '%s', 'g': '%s[0]', 'l': 'f[%s]', 'k': 'f[%s][0]', 'e': '%s(f)'}
FAST = {}
for _op in '+-*':
    FAST[_op] = '''
        if type(x) is int and type(y) is int:
            r = x %s y
            if NLIM < r < LIM:
                return r
            raise Err('size', pos)
''' % _op
for _op in ('//', '%'):
    FAST[_op] = '''
        if type(x) is int and type(y) is int and y:
            return x %s y
''' % _op
for _op in ('<', '<=', '>', '>='):
    FAST[_op] = '''
        if type(x) is int and type(y) is int:
            return x %s y
''' % _op
FAST['=='] = '''
        if type(x) is int and type(y) is int:
            return x == y
'''
FAST['!='] = '''
        if type(x) is int and type(y) is int:
            return x != y
'''
FACTORIES = {}


def factory(op, ka, kb):
    key = (op, ka, kb)
    r = FACTORIES.get(key)
    if r is None:
        text = ('def mk(a, b, pos, slow):\n    def run(f):\n        x = %s\n        y = %s\n%s'
                '        return slow(x, y, pos)\n    return run\n'
                % (OPERAND[ka] % 'a', OPERAND[kb] % 'b', FAST.get(op, '')))
        env = globals()
        exec(text, env)
        r = FACTORIES[key] = env.pop('mk')
    return r


def binary(op, ka, a, kb, b, pos):
    return factory(op, ka, kb)(a, b, pos, SLOW[op])


def get_index(x, i, pos):
    t = type(x)
    if t is dict:
        i = norm(i, pos)
        if i in x:
            return x[i]
        raise Err('missing', pos)
    if t is not list and t is not str:
        raise Err('type', pos)
    if type(i) is int:
        if 0 <= i < len(x):
            return x[i]
        raise Err('index', pos)
    raise Err('index' if type(i) is Q else 'type', pos)


def set_check(x, i, pos):
    """Checks that x[i] is there; the index as it is used."""
    if type(x) is dict:
        i = norm(i, pos)
        if i in x:
            return i
        raise Err('missing', pos)
    if type(x) is not list:
        raise Err('type', pos)
    if type(i) is int:
        if 0 <= i < len(x):
            return i
        raise Err('index', pos)
    raise Err('index' if type(i) is Q else 'type', pos)


def drive(fn, args, pos, depth):
    """A call of resume, close or yield, or a round of for, outside of coroutines."""
    global CATCHING
    cur = None
    stack = None
    base = depth
    chain = []      # those that wait: coroutine, base, the count of catches there, what was called, its place
    err = None
    val = None
    req = (fn, args, pos)
    while True:
        if req is not None:
            c, args, pos = req
            req = None
            total = base + len(stack) - cur.hidden if cur is not None else base
            if type(c) is Fn:
                if total >= MAXDEPTH:
                    err = Err('depth', pos)
                else:
                    start(stack, c, args, pos)
                    val = None
            elif c is B_SORT:
                try:
                    sort_check(args, pos)
                    stack.append((sorter(args, pos), None, None, pos))
                    cur.hidden += 1
                    val = None
                except Err as e:
                    e.__traceback__ = None
                    err = e
                e = None
            elif c is B_YIELD:
                if cur is None:
                    raise Err('yield', pos)
                if cur.closing:
                    err = Err('closing', pos)
                else:
                    cur.state = 'suspended'
                    cur.ypos = pos
                    w, base, catching, c, pos = chain.pop()
                    cur.catching = CATCHING
                    CATCHING = catching
                    val = args[0] if args else None
                    cur = w
                    if cur is None:
                        return val
                    cur.state = 'running'
                    stack = cur.stack
            else:
                t = args[0]
                val = None
                code = None
                go = False
                if type(t) is not Coro:
                    code = 'type'
                elif t.state == 'done' or t.state == 'failed':
                    if c is B_RESUME or c is B_INTERRUPT:
                        code = 'done'
                    elif c is B_NEXT:
                        val = END
                elif t.state == 'running' or t.state == 'waiting':
                    code = 'busy'
                elif t.state == 'new' and c is B_CLOSE:
                    t.state = 'done'
                elif t.state == 'new' and c is B_INTERRUPT:
                    t.state = 'failed'
                    code = 'fail'
                elif total + (len(t.stack) - t.hidden or 1) > MAXDEPTH:
                    code = 'depth'
                else:
                    go = True
                if code is not None:
                    err = Err(code, pos)
                    if code == 'fail':
                        err.value = args[1]
                        if not CATCHING:
                            err.code = 'fail: ' + show_short(args[1])
                    if cur is None:
                        raise err
                elif not go:
                    if cur is None:
                        return val
                else:
                    if cur is not None:
                        cur.state = 'waiting'
                    chain.append((cur, base, CATCHING, c, pos))
                    CATCHING = t.catching
                    base = total
                    cur = t
                    stack = t.stack
                    if t.state == 'new':
                        fn = t.fn
                        vals = t.args
                        t.fn = t.args = None
                        t.state = 'running'
                        start(stack, fn, vals, pos)
                    else:
                        t.state = 'running'
                        if c is B_CLOSE:
                            t.closing = True
                            err = Closing()
                        elif c is B_INTERRUPT:
                            err = Err('fail', t.ypos)
                            err.value = args[1]
                            if not CATCHING:
                                err.code = 'fail: ' + show_short(args[1])
                        elif len(args) > 1:
                            val = args[1]
        top = stack[-1]
        if DEBUG is not None:
            STATE[:] = cur, chain, base
        try:
            if err is not None:
                e = err
                err = None
                req = top[0].throw(e)
            else:
                req = top[0].send(val)
            continue
        except StopIteration as e:
            r = e.value
        except Err as e:
            e.__traceback__ = None
            err = e
        except Closing as e:
            e.__traceback__ = None
            err = e
        e = None
        if top[2] is None:
            # of sort
            stack.pop()
            cur.hidden -= 1
            val = r if err is None else None
            continue
        if err is None:
            if r is TAIL:
                c, args = top[1][1]
                stack.pop()
                start(stack, c, args, top[3])
                val = None
                continue
            val = top[1][1] if r is RETURN else None
        stack.pop()
        if stack:
            if type(err) is Err:
                err.trace.append((top[2], top[3]))
            continue
        # the coroutine has ended
        w, base, catching, c, pos = chain.pop()
        CATCHING = catching
        cur.catching = 0
        if type(err) is Err:
            cur.state = 'failed'
            err.trace.append((top[2], pos, 'resumed'))
        else:
            cur.state = 'done'
            if err is not None or c is B_CLOSE:
                val = None
            elif c is B_NEXT:
                val = END
            err = None
        cur = w
        if cur is None:
            if err is not None:
                raise err
            return val
        cur.state = 'running'
        stack = cur.stack


def sorter(args, pos):
    items = args[0][:]
    keys = items
    if len(args) == 2:
        keys = []
        c = args[1]
        for x in items:
            if type(c) is Fn and c.n == 1 or type(c) is Builtin and c.special and c.lo <= 1 <= c.hi:
                keys.append((yield c, [x], pos))
            else:
                keys.append(call_builtin(c, [x], pos, 0))
    return sorted_by(items, keys, pos)


def start(stack, c, args, pos):
    code = c.code
    if code.run is None:
        code.make()
    g = [0, None, *args, *c.tail, *code.pad]
    if code.isgen:
        stack.append((code.run(g), g, c.name or 'fn', pos))
    else:
        stack.append((plain(code.run, g), g, c.name or 'fn', pos))


def plain(run, f):
    return run(f)
    yield


def sorted_by(items, keys, pos):
    kinds = set()
    for k in keys:
        t = type(k)
        kinds.add(int if t is Q else t)
    if len(kinds) > 1 or kinds and int not in kinds and str not in kinds:
        raise Err('type', pos)
    order = list(range(len(items)))
    if int in kinds:
        order.sort(key=cmp_to_key(lambda i, j: s_lt(keys[j], keys[i], pos) - s_lt(keys[i], keys[j], pos)))
    else:
        order.sort(key=keys.__getitem__)
    return [items[i] for i in order]


def sort_check(args, pos):
    if type(args[0]) is not list or len(args) == 2 and type(args[1]) is not Fn and type(args[1]) is not Builtin:
        raise Err('type', pos)


def b_sort(args, pos, depth):
    sort_check(args, pos)
    items = args[0][:]
    keys = items
    if len(args) == 2:
        keys = []
        for x in items:
            keys.append(call_fn(args[1], x, pos, depth))
    return sorted_by(items, keys, pos)


def call_fn(c, x, pos, depth):
    if type(c) is Fn and c.n == 1:
        d = depth + 1
        if d > MAXDEPTH:
            raise Err('depth', pos)
        g = [d, None, x, *c.tail]
        try:
            if DEBUG is not None:
                CALLS.append((c.name or 'fn', pos))
            r = c.body(g)
            if DEBUG is not None:
                del CALLS[d - 1:]
            while r is TAIL:
                c, g = g[1]
                if DEBUG is not None:
                    CALLS.append((c.name or 'fn', pos))
                r = c.body(g)
                if DEBUG is not None:
                    del CALLS[d - 1:]
            if r is RETURN:
                return g[1]
            return None
        except Err as e:
            if DEBUG is not None:
                del CALLS[d - 1:]
            e.__traceback__ = None
            e.trace.append((c.name or 'fn', pos))
            raise
    return call_builtin(c, [x], pos, depth)


def call_builtin(fn, args, pos, depth):
    if type(fn) is not Builtin:
        raise Err('arity' if type(fn) is Fn else 'type', pos)
    if not fn.lo <= len(args) <= fn.hi:
        raise Err('arity', pos)
    if fn is B_SORT:
        return b_sort(args, pos, depth)
    if fn.special:
        try:
            return drive(fn, args, pos, depth)
        finally:
            STATE[0] = None
    return fn.fn(args, pos)


def lazy_ways(node, v, pv, slots):
    """All ways of a pattern that has lists with several rests."""
    todo = [((node, v, None), {})]
    while todo:
        cont, env = todo.pop()
        ok = True
        while cont is not None:
            p, v, cont = cont
            k = p[0]
            if k == 'p_any':
                continue
            if k == 'row':
                items, i, j, least = p[1:]
                if i == len(items):
                    continue
                q = items[i]
                if q[0] != 'p_rest':
                    cont = q, v[j], (('row', items, i + 1, j + 1, 0), v, cont)
                    continue
                most = len(v) - j
                last = True
                for o in items[i + 1:]:
                    if o[0] == 'p_rest':
                        last = False
                    else:
                        most -= 1
                if last:
                    least = most
                elif least < most:
                    todo.append(((('row', items, i, j, least + 1), v, cont), env))
                cont = ('row', items, i + 1, j + least, 0), v, cont
                if q[2] is not None:
                    cont = q[2], v[j:j + least], cont
            elif k == 'p_row':
                need = 0
                for o in p[2]:
                    if o[0] != 'p_rest':
                        need += 1
                ok = type(v) is list and len(v) >= need
                if ok:
                    cont = ('row', p[2], 0, 0, 0), v, cont
            elif k == 'p_name':
                s = slots[p[2]]
                if s in env:
                    ok = equal(env[s], v)
                else:
                    env = {**env, s: v}
            elif k == 'p_const':
                c = p[2]
                t = type(c)
                ok = v is c if t is bool or c is None else type(v) is t and v == c
            elif k == 'p_var':
                ok = equal(v, pv[p[3]])
            elif k == 'p_alt':
                for q in reversed(p[2][1:]):
                    todo.append(((q, v, cont), env))
                cont = p[2][0], v, cont
            elif k == 'p_map':
                ok = type(v) is dict
                kids = []
                if ok:
                    for key, q in p[2]:
                        key = norm(key, 0)
                        if key not in v:
                            ok = False
                            break
                        kids.append((q, v[key]))
                for q, x in reversed(kids):
                    cont = q, x, cont
            else:
                before, some, rest, after = p[2:]
                nb = len(before)
                e = len(v) - len(after) if type(v) is list else -1
                ok = e == nb or some and e > nb
                if ok:
                    for i in range(len(after) - 1, -1, -1):
                        cont = after[i], v[e + i], cont
                    if rest is not None:
                        cont = rest, v[nb:e], cont
                    for i in range(nb - 1, -1, -1):
                        cont = before[i], v[i], cont
            if not ok:
                break
        if ok:
            yield list(env.items())


def ways(seq):
    """All ways through a sequence of bindings (slot, value), bindings that are copied (slot, value, True)
    and choices (None, sequences)."""
    env = {}
    trail = []
    choices = []
    cont = (seq, 0, None)
    while True:
        ok = True
        while cont is not None:
            s, i, k = cont
            if i == len(s):
                cont = k
                continue
            it = s[i]
            cont = (s, i + 1, k)
            slot = it[0]
            if slot is None:
                choices.append((it[1], 1, cont, len(trail)))
                cont = (it[1][0], 0, cont)
            elif slot in env:
                if not equal(env[slot], it[1]):
                    ok = False
                    break
            else:
                env[slot] = it[1] if len(it) == 2 else it[1][:]
                trail.append(slot)
        if ok:
            yield list(env.items())
        if not choices:
            return
        opts, i, cont, n = choices.pop()
        while len(trail) > n:
            del env[trail.pop()]
        if i + 1 < len(opts):
            choices.append((opts, i + 1, cont, n))
        cont = (opts[i], 0, cont)


def stops(x, f, at):
    it = iter(x)
    while True:
        DEBUG.stop(f, at)
        v = next(it, END)
        if v is END:
            return
        yield v


class Compiler:
    def __init__(self, ctx):
        self.ctx = ctx
        self.D = {k[2:]: getattr(self, k) for k in dir(self) if k.startswith('c_')}

    def operand(self, e):
        k = e[0]
        if k == 'const':
            return 'c', e[2]
        if k == 'name':
            v = e[3]
            if v.kind == 'builtin':
                return 'c', v.slot
            if self.in_cell(v):
                if len(e) == 5 or v.early and v.ctx is not self.ctx:
                    return 'e', self.checked_cell(v.cell, e[1])
                return 'g', v.cell
            slot = self.ctx.slot_of(v)
            if v.captured:
                if v.early and v.ctx is not self.ctx:
                    return 'e', self.checked(slot, e[1])
                return 'k', slot
            return 'l', slot
        if k == 'tmp':
            return 'l', e[2]
        return 'e', self.D[k](e)

    def in_cell(self, v):
        return v.cell is not None and (v.captured or v.ctx.pub.get(v.name) is v)

    def checked_cell(self, cell, pos):
        def run(f):
            v = cell[0]
            if v is UNSET:
                raise Err('unset', pos)
            return v
        return run

    def checked(self, slot, pos):
        def run(f):
            v = f[slot][0]
            if v is UNSET:
                raise Err('unset', pos)
            return v
        return run

    def x(self, e):
        return self.D[e[0]](e)

    def body(self, blk, params=()):
        run = []
        cells = [v.slot for v in params if v.captured]
        if cells:
            run.append(self.wrap(tuple(cells)))
        cells = [v.slot for v in blk.vars if v.captured and v.cell is None]
        for s in blk.fns:
            if s[4].captured and s[4].cell is None:
                cells.append(s[4].slot)
        if cells:
            run.append(self.fresh(tuple(cells)))
        for s in blk.fns:
            run.append(self.set_fn(s))
        for s in blk.stmts:
            if s[0] != 'fndecl':
                run.append(self.hook(s, self.D[s[0]](s)))
        if not run:
            return lambda f: None
        if len(run) == 1:
            return run[0]
        if len(run) == 2:
            s1, s2 = run

            def body2(f):
                r = s1(f)
                if r is not None:
                    return r
                return s2(f)
            return body2
        run = tuple(run)

        def body(f):
            for s in run:
                r = s(f)
                if r is not None:
                    return r
        return body

    def hook(self, s, run):
        """Stops before a statement, under the debugger."""
        if DEBUG is None or s[0] in ('block', 'while', 'for'):
            return run
        at = self.at(s)

        def stopped(f):
            DEBUG.stop(f, at)
            return run(f)
        return stopped

    def at(self, s):
        return START[id(s)], INFO[id(s)], self

    def hooked(self, s, e):
        if DEBUG is None:
            return e
        at = self.at(s)

        def stopped(f):
            DEBUG.stop(f, at)
            return e(f)
        return stopped

    def wrap(self, slots):
        def run(f):
            for i in slots:
                f[i] = [f[i]]
        return run

    def fresh(self, slots):
        def run(f):
            for i in slots:
                f[i] = [UNSET]
        return run

    def set_fn(self, s):
        v = s[4]
        slot = v.slot
        e = self.c_fn(s[3])
        if self.in_cell(v):
            cell = v.cell

            def run(f):
                cell[0] = e(f)
        elif v.captured:
            def run(f):
                f[slot][0] = e(f)
        else:
            def run(f):
                f[slot] = e(f)
        return run

    def fn_body(self, e):
        if len(e) == 6:
            e.append((Compiler(e[5]).body(e[4], e[3]), Code(e)))
        return e[6]

    def c_tmp(self, e):
        i = e[2]
        return lambda f: f[i]

    def c_fn(self, e):
        name = e[2]
        n = len(e[3])
        outer = self.ctx
        ctx = e[5]
        body, code = self.fn_body(e)
        pad = [None] * (ctx.nslots - 2 - n)
        slots = []
        for v in ctx.captures:
            slots.append(outer.slot_of(v))
        if not slots:
            return lambda f: Fn(name, n, body, pad, code)
        slots = tuple(slots)
        return lambda f: Fn(name, n, body, pad + [f[i] for i in slots], code)

    def c_return(self, s):
        e = s[2]
        if e is None:
            def run0(f):
                f[1] = None
                return RETURN
            return run0
        if e[0] == 'call' and not s[3]:
            return self.call(e, True)
        x = self.x(e)

        def run(f):
            f[1] = x(f)
            return RETURN
        return run

    def c_fail(self, s):
        x = self.x(s[2])
        pos = s[1]

        def fail(f):
            v = x(f)
            e = Err('fail', pos)
            e.value = v
            if not CATCHING:
                e.code = 'fail: ' + show_short(v)
            raise e
        return fail

    def c_for(self, s):
        pos = s[1]
        if s[2].plain():
            slot = s[5][0].slot
            b = self.body(s[4], s[5])
        else:
            find = self.finder(s[2], s[5], False)
            p = s[2].pos
            body = self.body(s[4], s[5])
            slot = s[6]

            def b(f):
                w = find(f[slot], f)
                if w is None:
                    raise Err('match', p)
                for k, v in w:
                    f[k] = v
                return body(f)
        e = self.hooked(s, self.x(s[3]))
        at = self.at(s) if DEBUG is not None else None

        def self_rounds(c, f):
            while True:
                if at is not None:
                    DEBUG.stop(f, at)
                try:
                    v = drive(B_NEXT, [c], pos, f[0])
                finally:
                    STATE[0] = None
                if v is END:
                    return None
                f[slot] = v
                r = b(f)
                if r is not None:
                    if r is BREAK:
                        return None
                    if r is not CONTINUE:
                        return r

        def loop(f):
            x = e(f)
            if type(x) is not list and type(x) is not str:
                if type(x) is Coro:
                    return self_rounds(x, f)
                if type(x) is not dict:
                    raise Err('type', pos)
                x = [denorm(k) for k in x]
            if at is not None:
                x = stops(x, f, at)
            for v in x:
                f[slot] = v
                r = b(f)
                if r is not None:
                    if r is BREAK:
                        return None
                    if r is not CONTINUE:
                        return r
        return loop

    def decl_pattern(self, s):
        e = self.x(s[4])
        find = self.finder(s[2], s[5], False)
        pos = s[2].pos
        fixed = {v.slot: v.cell for v in s[5] if self.in_cell(v)}
        cells = frozenset(v.slot for v in s[5] if v.captured and v.early)
        new = frozenset(v.slot for v in s[5] if v.captured and not v.early)

        def decl(f):
            w = find(e(f), f)
            if w is None:
                raise Err('match', pos)
            for k, v in w:
                if k in fixed:
                    fixed[k][0] = v
                elif k in cells:
                    f[k][0] = v
                elif k in new:
                    f[k] = [v]
                else:
                    f[k] = v
        return decl

    def finder(self, pat, params, guarded):
        """A function of a value and the frame: the slots and values of the first way, or None.
        If guarded, the iterable of all ways, or None."""
        slots = {}
        for v in params:
            slots[v.name] = v.slot
        general = pat.repeats or (guarded and pat.alts)
        m = self.matcher(pat.node, slots, general) if not pat.multi else None
        reads = []
        for e in pat.reads:
            reads.append(self.x(e))
        reads = tuple(reads)
        if pat.multi:
            node = pat.node

            def find_row(v, f):
                pv = []
                for r in reads:
                    pv.append(r(f))
                w = lazy_ways(node, v, pv, slots)
                if guarded:
                    return w
                for x in w:
                    return x
                return None
            return find_row

        def find(v, f):
            pv = []
            for r in reads:
                pv.append(r(f))
            out = []
            if not m(v, pv, out):
                return None
            if general:
                if guarded:
                    return ways(out)
                for w in ways(out):
                    return w
                return None
            if guarded:
                return (out,)
            return out
        return find

    def matcher(self, p, slots, general):
        k = p[0]
        if k == 'p_any':
            return lambda v, pv, out: True
        if k == 'p_name':
            slot = slots[p[2]]

            def name(v, pv, out):
                out.append((slot, v))
                return True
            return name
        if k == 'p_const':
            c = p[2]
            t = type(c)
            if t is bool or c is None:
                return lambda v, pv, out: v is c
            return lambda v, pv, out: type(v) is t and v == c
        if k == 'p_var':
            i = p[3]
            return lambda v, pv, out: equal(v, pv[i])
        if k == 'p_alt':
            opts = []
            for q in p[2]:
                opts.append(self.matcher(q, slots, general))
            opts = tuple(opts)
            if general:
                def alt(v, pv, out):
                    res = []
                    for o in opts:
                        seq = []
                        if o(v, pv, seq):
                            res.append(seq)
                    if not res:
                        return False
                    if len(res) == 1:
                        out.extend(res[0])
                    else:
                        out.append((None, res))
                    return True
            else:
                def alt(v, pv, out):
                    n = len(out)
                    for o in opts:
                        if o(v, pv, out):
                            return True
                        del out[n:]
                    return False
            return alt
        if k == 'p_map':
            items = []
            for key, q in p[2]:
                items.append((norm(key, 0), self.matcher(q, slots, general)))
            items = tuple(items)

            def mp(v, pv, out):
                if type(v) is not dict:
                    return False
                for key, q in items:
                    if key not in v:
                        return False
                for key, q in items:
                    if not q(v[key], pv, out):
                        return False
                return True
            return mp
        before = []
        for q in p[2]:
            before.append(self.matcher(q, slots, general))
        after = []
        for q in p[5]:
            after.append(self.matcher(q, slots, general))
        nb = len(before)
        na = len(after)
        n = na + nb
        some = p[3]
        rest = slots[p[4][2]] if p[4] is not None else None
        before = tuple(before)
        after = tuple(after)

        def lst(v, pv, out):
            if type(v) is not list:
                return False
            ln = len(v)
            if ln != n and (ln < n or not some):
                return False
            i = 0
            for q in before:
                if not q(v[i], pv, out):
                    return False
                i += 1
            i = ln - na
            if rest is not None:
                if general:
                    out.append((rest, v[nb:i], True))
                else:
                    out.append((rest, v[nb:i]))
            for q in after:
                if not q(v[i], pv, out):
                    return False
                i += 1
            return True
        return lst

    def c_match(self, s):
        pos = s[1]
        e = self.x(s[2])
        cases = []
        for pat, p, guard, blk, params in s[3]:
            find = self.finder(pat, params, guard is not None)
            wrap = [v.slot for v in params if v.captured]
            g = self.x(guard) if guard is not None else None
            cases.append((find, p, tuple(wrap), g, self.body(blk)))
        other = self.body(s[4]) if s[4] is not None else None
        cases = tuple(cases)

        def match(f):
            v = e(f)
            for find, p, wrap, guard, body in cases:
                w = find(v, f)
                if w is None:
                    continue
                if guard is None:
                    for k, x in w:
                        f[k] = x
                    for k in wrap:
                        f[k] = [f[k]]
                    w = None
                    return body(f)
                for way in w:
                    for k, x in way:
                        f[k] = x
                    for k in wrap:
                        f[k] = [f[k]]
                    x = guard(f)
                    if x is True:
                        w = way = None
                        return body(f)
                    if x is not False:
                        raise Err('type', p)
            if other is None:
                raise Err('match', pos)
            return other(f)
        return match

    def c_try(self, s):
        a = self.body(s[2])
        if s[3] is not None:
            a = self.catch(a, s[6].slot, self.body(s[4], [s[6]]))
        if s[5] is not None:
            a = self.final(a, self.body(s[5]))
        return a

    def catch(self, a, slot, b):
        def run(f):
            global CATCHING
            CATCHING += 1
            try:
                r = a(f)
                CATCHING -= 1
                return r
            except Err as e:
                v = e.value
            CATCHING -= 1
            f[slot] = v
            return b(f)
        return run

    def final(self, a, b):
        def run(f):
            err = None
            try:
                r = a(f)
            except Err as e:
                e.__traceback__ = None
                err = e
            if err is not None:
                r = b(f)
                if r is not None:
                    return r
                try:
                    raise err
                finally:
                    err = None
            v = f[1]
            q = b(f)
            if q is not None:
                return q
            f[1] = v
            return r
        return run

    def c_decl(self, s):
        if not s[2].plain():
            return self.decl_pattern(s)
        v = s[5][0]
        slot = v.slot
        e = self.x(s[4])
        if self.in_cell(v):
            cell = v.cell

            def decl(f):
                cell[0] = e(f)
        elif v.captured and v.early:
            def decl(f):
                f[slot][0] = e(f)
        elif v.captured:
            def decl(f):
                f[slot] = [e(f)]
        else:
            def decl(f):
                f[slot] = e(f)
        return decl

    def c_block(self, s):
        return self.body(s[2])

    def c_if(self, s):
        arms = []
        for pos, c, b in s[2]:
            arms.append((self.x(c), self.body(b), pos))
        other = self.body(s[3]) if s[3] is not None else None
        if len(arms) == 1:
            c, b, pos = arms[0]
            if other is None:
                def if1(f):
                    v = c(f)
                    if v is True:
                        return b(f)
                    if v is not False:
                        raise Err('type', pos)
                return if1

            def if2(f):
                v = c(f)
                if v is True:
                    return b(f)
                if v is not False:
                    raise Err('type', pos)
                return other(f)
            return if2
        arms = tuple(arms)

        def ifn(f):
            for c, b, pos in arms:
                v = c(f)
                if v is True:
                    return b(f)
                if v is not False:
                    raise Err('type', pos)
            if other is not None:
                return other(f)
        return ifn

    def c_while(self, s):
        pos = s[1]
        c = self.hooked(s, self.x(s[2]))
        b = self.body(s[3])

        def loop(f):
            while True:
                v = c(f)
                if v is not True:
                    if v is False:
                        return None
                    raise Err('type', pos)
                r = b(f)
                if r is not None:
                    if r is BREAK:
                        return None
                    if r is not CONTINUE:
                        return r
        return loop

    def c_break(self, s):
        return lambda f: BREAK

    def c_continue(self, s):
        return lambda f: CONTINUE

    def c_expr(self, s):
        e = self.x(s[2])

        def run(f):
            e(f)
        return run

    def c_assign(self, s):
        pos, t, op, r = s[1:5]
        if t[0] == 'name':
            v = t[3]
            cell = v.cell if self.in_cell(v) else None
            slot = self.ctx.slot_of(v) if cell is None else None
            check = len(t) == 5 or v.captured and v.early and v.ctx is not self.ctx
            if op is not None:
                # x op e, with e evaluated first
                e = self.swapped(op, t, r, pos)
            else:
                e = self.x(r)
            if check:
                p = t[1]

                def run(f):
                    val = e(f)
                    c = f[slot] if cell is None else cell
                    if c[0] is UNSET:
                        raise Err('unset', p)
                    c[0] = val
            elif cell is not None:
                def run(f):
                    cell[0] = e(f)
            elif v.captured:
                def run(f):
                    val = e(f)
                    f[slot][0] = val
            else:
                def run(f):
                    f[slot] = e(f)
            return run
        e = self.x(r)
        lst = self.x(t[2])
        idx = self.x(t[3])
        p = t[1]
        if t[0] == 'member':
            name = t[3][2]
            if op is None:
                def run(f):
                    v = e(f)
                    x = lst(f)
                    if type(x) is not dict:
                        raise Err('type', p)
                    x[name] = v
            else:
                slow = SLOW[op]

                def run(f):
                    v = e(f)
                    x = lst(f)
                    if type(x) is not dict:
                        raise Err('type', p)
                    if name not in x:
                        raise Err('missing', p)
                    x[name] = slow(x[name], v, pos)
            return run
        if op is None:
            def run(f):
                v = e(f)
                x = lst(f)
                i = idx(f)
                if type(x) is list and type(i) is int and 0 <= i < len(x):
                    x[i] = v
                elif type(x) is dict:
                    x[norm(i, p)] = v
                else:
                    set_check(x, i, p)
            return run
        do = factory(op, 'c', 'c')
        slow = SLOW[op]
        if op == '+':
            def run(f):
                v = e(f)
                x = lst(f)
                i = idx(f)
                i = set_check(x, i, p)
                o = x[i]
                if type(o) is int and type(v) is int:
                    n = o + v
                    if NLIM < n < LIM:
                        x[i] = n
                        return
                x[i] = slow(o, v, pos)
            return run

        def run(f):
            v = e(f)
            x = lst(f)
            i = idx(f)
            i = set_check(x, i, p)
            x[i] = slow(x[i], v, pos)
        return run

    def swapped(self, op, t, r, pos):
        kb, b = self.operand(r)
        ka, a = self.operand(t)
        if kb != 'e':
            return binary(op, ka, a, kb, b, pos)
        key = (op, ka, 'swap')
        mk = FACTORIES.get(key)
        if mk is None:
            text = ('def mk(a, b, pos, slow):\n    def run(f):\n        y = b(f)\n        x = %s\n%s'
                    '        return slow(x, y, pos)\n    return run\n'
                    % (OPERAND[ka] % 'a', FAST.get(op, '')))
            env = globals()
            exec(text, env)
            mk = FACTORIES[key] = env.pop('mk')
        return mk(a, b, pos, SLOW[op])

    # expressions

    def c_const(self, e):
        v = e[2]
        return lambda f: v

    def c_name(self, e):
        k, v = self.operand(e)
        if k == 'c':
            return lambda f: v
        if k == 'k':
            return lambda f: f[v][0]
        if k == 'e':
            return v
        if k == 'g':
            return lambda f: v[0]
        return lambda f: f[v]

    def c_bin(self, e):
        ka, a = self.operand(e[2])
        kb, b = self.operand(e[3])
        return binary(e[4], ka, a, kb, b, e[1])

    def c_neg(self, e):
        x = self.x(e[2])
        pos = e[1]

        def neg(f):
            v = x(f)
            if type(v) is int:
                return -v
            if type(v) is Q:
                return Q(-v.n, v.d)
            raise Err('type', pos)
        return neg

    def c_not(self, e):
        x = self.x(e[2])
        pos = e[1]

        def no(f):
            v = x(f)
            if v is True:
                return False
            if v is False:
                return True
            raise Err('type', pos)
        return no

    def c_and(self, e):
        a = self.x(e[2])
        b = self.x(e[3])
        pos = e[1]

        def conj(f):
            v = a(f)
            if v is True:
                v = b(f)
                if v is True or v is False:
                    return v
            elif v is False:
                return False
            raise Err('type', pos)
        return conj

    def c_or(self, e):
        a = self.x(e[2])
        b = self.x(e[3])
        pos = e[1]

        def disj(f):
            v = a(f)
            if v is False:
                v = b(f)
                if v is True or v is False:
                    return v
            elif v is True:
                return True
            raise Err('type', pos)
        return disj

    def c_list(self, e):
        items = []
        for x in e[2]:
            items.append(self.x(x))
        if not items:
            return lambda f: []
        items = tuple(items)

        def lst(f):
            r = []
            for i in items:
                r.append(i(f))
            return r
        return lst

    def c_map(self, e):
        pos = e[1]
        items = []
        for x in e[2]:
            items.append(self.x(x))
        if not items:
            return lambda f: {}
        items = tuple(items)

        def mp(f):
            r = []
            for i in items:
                r.append(i(f))
            m = {}
            for i in range(0, len(r), 2):
                m[norm(r[i], pos)] = r[i + 1]
            return m
        return mp

    def c_member(self, e):
        x = self.x(e[2])
        name = e[3][2]
        pos = e[1]

        def member(f):
            m = x(f)
            if type(m) is not dict:
                raise Err('type', pos)
            if name in m:
                return m[name]
            raise Err('missing', pos)
        return member

    def c_index(self, e):
        ka, a = self.operand(e[2])
        kb, b = self.operand(e[3])
        pos = e[1]
        key = ('index', ka, kb)
        mk = FACTORIES.get(key)
        if mk is None:
            text = ('def mk(a, b, pos):\n    def run(f):\n        x = %s\n        i = %s\n'
                    '        if type(x) is list and type(i) is int and 0 <= i < len(x):\n'
                    '            return x[i]\n'
                    '        return get_index(x, i, pos)\n    return run\n'
                    % (OPERAND[ka] % 'a', OPERAND[kb] % 'b'))
            env = globals()
            exec(text, env)
            mk = FACTORIES[key] = env.pop('mk')
        return mk(a, b, pos)

    def c_call(self, e):
        return self.call(e, False)

    def call(self, e, tail):
        kc, c = self.operand(e[2])
        kinds = [kc]
        args = []
        for x in e[3]:
            k, a = self.operand(x)
            kinds.append(k)
            args.append(a)
        pos = e[1]
        n = len(args)
        if n > 5:
            fs = []
            for k, a in zip(kinds[1:], args):
                fs.append(self.getter(k, a))
            args = [tuple(fs)]
            kinds = [kc, 'many']
        key = (tail, *kinds)
        mk = FACTORIES.get(key)
        if mk is None:
            lines = ['c = ' + OPERAND[kc] % 'c0']
            if n > 5:
                lines += ['vals = []', 'for a in a0:', '    vals.append(a(f))']
                items = '*vals'
            else:
                for i in range(n):
                    lines.append('x%d = %s' % (i, OPERAND[kinds[i + 1]] % ('a%d' % i)))
                items = ', '.join('x%d' % i for i in range(n))
            frame = ('[d, None, %s, *c.tail]' % items) if items else '[d, None, *c.tail]'
            text = 'def mk(%s):\n    def run(f):\n' % ', '.join(
                ['c0'] + ['a%d' % i for i in range(len(args))] + ['n', 'pos'])
            for l in lines:
                text += '        ' + l + '\n'
            if DEBUG is None:
                tmpl = re.sub('\n *@(PUSH|POP)', '', CALL)
            else:
                tmpl = CALL.replace('@PUSH', "CALLS.append((c.name or 'fn', pos))").replace('@POP', 'del CALLS[d - 1:]')
            text += (TAIL_CALL if tail else tmpl).replace('@ITEMS', items).replace('@FRAME', frame)
            text += '    return run\n'
            env = globals()
            exec(text, env)
            mk = FACTORIES[key] = env.pop('mk')
        return mk(c, *args, n, pos)

    def getter(self, k, v):
        if k == 'e':
            return v
        if k == 'c':
            return lambda f: v
        if k == 'k':
            return lambda f: f[v][0]
        if k == 'g':
            return lambda f: v[0]
        return lambda f: f[v]

    def c_use(self, s):
        m = s[6]
        pos = s[1]

        def use(f):
            if m.begun:
                return
            m.begun = True
            try:
                CALLS.append((m.name, pos))
                m.code([f[0] + 1] + [None] * m.ctx.nslots)
                CALLS.pop()
            except Err as e:
                CALLS.pop()
                e.__traceback__ = None
                e.trace.append((m.name, pos))
                raise
        return use


CALL = '''
        if type(c) is Fn and c.n == n:
            d = f[0] + 1
            if d > MAXDEPTH:
                raise Err('depth', pos)
            g = @FRAME
            try:
                @PUSH
                r = c.body(g)
                @POP
                if r is RETURN:
                    return g[1]
                while r is TAIL:
                    c, g = g[1]
                    @PUSH
                    r = c.body(g)
                    @POP
                if r is RETURN:
                    return g[1]
                return None
            except Err as e:
                @POP
                e.__traceback__ = None
                e.trace.append((c.name or 'fn', pos))
                raise
        return call_builtin(c, [@ITEMS], pos, f[0])
'''
TAIL_CALL = '''
        if type(c) is Fn and c.n == n:
            d = f[0]
            f[1] = c, @FRAME
            return TAIL
        f[1] = call_builtin(c, [@ITEMS], pos, f[0])
        return RETURN
'''

# ---------------------------------------------------------------- main

class GCompiler(Compiler):
    """Makes generators, for coroutines.  They yield what drive() has to do: (function, arguments, place).
    What cannot call anything is made by the other compiler."""

    def __init__(self, ctx):
        Compiler.__init__(self, ctx)
        self.base = ctx.nslots + len(ctx.captures)
        self.ntmp = 0
        self.memo = {}

    def impure(self, x):
        t = type(x)
        if t is Blk:
            for s in x.stmts:
                if self.impure(s):
                    return True
            return False
        if t is not list and t is not tuple:
            return False
        k = self.memo.get(id(x))
        if k is not None:
            return k
        r = False
        h = x[0] if x else None
        if h == 'call' or h == 'for':
            r = True
        elif h != 'fn' and h != 'fndecl' and h != 'const' and h != 'name':
            for y in x:
                if self.impure(y):
                    r = True
                    break
        self.memo[id(x)] = r
        return r

    def tmp(self, i):
        if i >= self.ntmp:
            self.ntmp = i + 1
        return self.base + i

    def lin_list(self, xs, steps, top):
        last = -1
        for i, x in enumerate(xs):
            if self.impure(x):
                last = i
        res = []
        for i, x in enumerate(xs):
            if i <= last:
                x = self.lin(x, steps, top)
                if i < last and x[0] not in ('tmp', 'const'):
                    t = self.tmp(top)
                    steps.append((0, t, self.x(x)))
                    x = ['tmp', 0, t]
                if x[0] == 'tmp':
                    top += 1
            res.append(x)
        return res

    def lin(self, e, steps, top):
        """Appends the steps that have to be done before; what is left is pure."""
        if not self.impure(e):
            return e
        k = e[0]
        pos = e[1]
        if k == 'call':
            xs = self.lin_list([e[2]] + e[3], steps, top)
            t = self.tmp(top)
            steps.append((1, t, self.x(xs[0]), self.many(xs[1:]), pos))
            return ['tmp', pos, t]
        if k == 'and' or k == 'or':
            a = self.lin(e[2], steps, top)
            t = self.tmp(top)
            sub = []
            b = self.lin(e[3], sub, top)
            steps.append((2, t, self.x(a), k == 'and', pos, tuple(sub), self.x(b)))
            return ['tmp', pos, t]
        if k == 'list' or k == 'map':
            return [k, pos, self.lin_list(e[2], steps, top)]
        if k == 'neg' or k == 'not' or k == 'member':
            return [k, pos, self.lin(e[2], steps, top)] + e[3:]
        return [k, pos] + self.lin_list(e[2:4], steps, top) + e[4:]

    def many(self, xs):
        res = []
        for x in xs:
            res.append(self.x(x))
        return tuple(res)

    def gexpr(self, e):
        steps = []
        x = self.lin(e, steps, 0)
        return tuple(steps), self.x(x)

    def gblock(self, blk, params=()):
        """Whether it is a generator, and the function."""
        if not self.impure(blk):
            return False, self.body(blk, params)
        empty = Blk(())
        empty.vars = blk.vars
        empty.fns = blk.fns
        runs = []
        cells = False
        for v in params:
            if v.captured:
                cells = True
        if cells or blk.vars or blk.fns:
            runs.append((False, self.body(empty, params)))
        for s in blk.stmts:
            if s[0] != 'fndecl':
                runs.append(self.gstmt(s))
        if len(runs) == 1:
            return runs[0]
        runs = tuple(runs)

        def gbody(f):
            for g, s in runs:
                r = (yield from s(f)) if g else s(f)
                if r is not None:
                    return r
        return True, gbody

    def gstmt(self, s):
        if not self.impure(s):
            return False, self.hook(s, self.D[s[0]](s))
        return True, self.hook(s, getattr(self, 'g_' + s[0])(s))

    def simple(self, steps, final):
        steps = tuple(steps)

        def run(f):
            for st in steps:
                k = st[0]
                if k == 1:
                    c = st[2](f)
                    vals = []
                    for a in st[3]:
                        vals.append(a(f))
                    if type(c) is Fn and c.n == len(vals) or \
                            type(c) is Builtin and c.special and c.lo <= len(vals) <= c.hi:
                        f[st[1]] = yield c, vals, st[4]
                    else:
                        f[st[1]] = call_builtin(c, vals, st[4], 0)
                elif k == 0:
                    f[st[1]] = st[2](f)
                else:
                    yield from logic(st, f)
            return final(f)
        return run

    def g_expr(self, s):
        steps = []
        e = self.lin(s[2], steps, 0)
        return self.simple(steps, self.c_expr(['expr', s[1], e]))

    def g_decl(self, s):
        steps = []
        e = self.lin(s[4], steps, 0)
        return self.simple(steps, self.c_decl(s[:4] + [e] + s[5:]))

    def g_fail(self, s):
        steps = []
        e = self.lin(s[2], steps, 0)
        return self.simple(steps, self.c_fail(['fail', s[1], e]))

    def g_assign(self, s):
        t = s[2]
        steps = []
        if t[0] == 'name':
            r = self.lin(s[4], steps, 0)
            return self.simple(steps, self.c_assign(s[:4] + [r]))
        if t[0] == 'member':
            r, x = self.lin_list([s[4], t[2]], steps, 0)
            t = [t[0], t[1], x, t[3]]
        else:
            r, x, i = self.lin_list([s[4], t[2], t[3]], steps, 0)
            t = [t[0], t[1], x, i]
        return self.simple(steps, self.c_assign([s[0], s[1], t, s[3], r]))

    def g_return(self, s):
        e = s[2]
        steps = []
        if e[0] != 'call' or s[3]:
            e = self.lin(e, steps, 0)
            return self.simple(steps, self.c_return(['return', s[1], e, True]))
        xs = self.lin_list([e[2]] + e[3], steps, 0)
        pre = self.simple(steps, lambda f: None) if steps else None
        fn = self.x(xs[0])
        args = self.many(xs[1:])
        pos = e[1]

        def run(f):
            if pre is not None:
                yield from pre(f)
            c = fn(f)
            vals = []
            for a in args:
                vals.append(a(f))
            if type(c) is Fn and c.n == len(vals):
                f[1] = c, vals
                return TAIL
            if type(c) is Builtin and c.special and c.lo <= len(vals) <= c.hi:
                f[1] = yield c, vals, pos
            else:
                f[1] = call_builtin(c, vals, pos, 0)
            return RETURN
        return run

    def value(self, e):
        """Whether it is a generator, and the function, of an expression."""
        if not self.impure(e):
            return False, self.x(e)
        steps, x = self.gexpr(e)
        return True, self.simple(steps, x)

    def g_block(self, s):
        return self.gblock(s[2])[1]

    def g_if(self, s):
        arms = []
        for pos, c, b in s[2]:
            arms.append((*self.value(c), *self.gblock(b), pos))
        arms = tuple(arms)
        go, other = self.gblock(s[3]) if s[3] is not None else (False, None)

        def run(f):
            for gc, c, gb, b, pos in arms:
                v = (yield from c(f)) if gc else c(f)
                if v is True:
                    return (yield from b(f)) if gb else b(f)
                if v is not False:
                    raise Err('type', pos)
            if other is not None:
                return (yield from other(f)) if go else other(f)
        return run

    def g_while(self, s):
        pos = s[1]
        gc, c = self.value(s[2])
        c = self.hooked(s, c)
        gb, b = self.gblock(s[3])

        def run(f):
            while True:
                v = (yield from c(f)) if gc else c(f)
                if v is not True:
                    if v is False:
                        return None
                    raise Err('type', pos)
                r = (yield from b(f)) if gb else b(f)
                if r is not None:
                    if r is BREAK:
                        return None
                    if r is not CONTINUE:
                        return r
        return run

    def g_for(self, s):
        pos = s[1]
        p = s[2].pos
        ge, e = self.value(s[3])
        e = self.hooked(s, e)
        at = self.at(s) if DEBUG is not None else None
        gb, b = self.gblock(s[4], s[5])
        find = None
        if s[2].plain():
            slot = s[5][0].slot
        else:
            find = self.finder(s[2], s[5], False)
            slot = s[6]

        def run(f):
            x = (yield from e(f)) if ge else e(f)
            t = type(x)
            coro = None
            if t is dict:
                x = [denorm(k) for k in x]
            elif t is Coro:
                coro = x
                x = forever()
            elif t is not list and t is not str:
                raise Err('type', pos)
            if at is not None:
                x = stops(x, f, at)
            for v in x:
                if coro is not None:
                    v = yield B_NEXT, [coro], pos
                    if v is END:
                        return None
                if find is None:
                    f[slot] = v
                else:
                    w = find(v, f)
                    if w is None:
                        raise Err('match', p)
                    for k, v in w:
                        f[k] = v
                r = (yield from b(f)) if gb else b(f)
                if r is not None:
                    if r is BREAK:
                        return None
                    if r is not CONTINUE:
                        return r
        return run

    def g_match(self, s):
        pos = s[1]
        ge, e = self.value(s[2])
        cases = []
        for pat, p, guard, blk, params in s[3]:
            find = self.finder(pat, params, guard is not None)
            wrap = tuple([v.slot for v in params if v.captured])
            gg, g = self.value(guard) if guard is not None else (False, None)
            cases.append((find, p, wrap, gg, g, *self.gblock(blk)))
        cases = tuple(cases)
        go, other = self.gblock(s[4]) if s[4] is not None else (False, None)

        def run(f):
            v = (yield from e(f)) if ge else e(f)
            for find, p, wrap, gg, guard, gb, body in cases:
                w = find(v, f)
                if w is None:
                    continue
                for way in ((w,) if guard is None else w):
                    for k, x in way:
                        f[k] = x
                    for k in wrap:
                        f[k] = [f[k]]
                    if guard is not None:
                        x = (yield from guard(f)) if gg else guard(f)
                        if x is False:
                            continue
                        if x is not True:
                            raise Err('type', p)
                    w = way = None
                    return (yield from body(f)) if gb else body(f)
            if other is None:
                raise Err('match', pos)
            return (yield from other(f)) if go else other(f)
        return run

    def g_try(self, s):
        ga, a = self.gblock(s[2])
        if s[3] is not None:
            ga, a = True, self.gcatch(ga, a, s[6].slot, *self.gblock(s[4], [s[6]]))
        if s[5] is not None:
            ga, a = True, self.gfinal(ga, a, *self.gblock(s[5]))
        return a

    def gcatch(self, ga, a, slot, gb, b):
        def run(f):
            global CATCHING
            CATCHING += 1
            try:
                r = (yield from a(f)) if ga else a(f)
                CATCHING -= 1
                return r
            except Err as e:
                v = e.value
            except Closing:
                CATCHING -= 1
                raise
            CATCHING -= 1
            f[slot] = v
            return (yield from b(f)) if gb else b(f)
        return run

    def gfinal(self, ga, a, gb, b):
        def run(f):
            err = None
            try:
                r = (yield from a(f)) if ga else a(f)
            except (Err, Closing) as e:
                e.__traceback__ = None
                err = e
            if err is not None:
                r = (yield from b(f)) if gb else b(f)
                if r is not None:
                    return r
                raise err
            v = f[1]
            q = (yield from b(f)) if gb else b(f)
            if q is not None:
                return q
            f[1] = v
            return r
        return run


class Debugger:
    def __init__(self, loader, main):
        self.loader = loader
        self.main = main
        self.log = []
        self.breaks = set()
        self.n = 0
        self.mode = 'goto'
        self.target = 1
        self.quiet = False
        self.ended = None
        self.snaps = []         # number, where to write to: processes that wait at earlier stops
        self.due = 1

    def snap(self, n):
        """Forks; the parent waits here until somebody wants to come back."""
        self.due = n + max(500, (self.target - n) // 2 if self.mode == 'goto' else 0)
        if self.snaps and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 45000:
            return
        if n in [x for x, w in self.snaps]:
            return
        if not self.quiet:
            flush()
        while len(self.snaps) > 7:
            # the one that lies densest goes; the first has to stay
            best = None
            for i in range(1, len(self.snaps)):
                a = self.snaps[i - 1][0]
                x = self.snaps[i][0]
                b = self.snaps[i + 1][0] if i + 1 < len(self.snaps) else n
                share = (b - a) / (abs(n - x) + 1)
                if best is None or share < best[0]:
                    best = share, i
            x, w = self.snaps.pop(best[1])
            os.write(w, pickle.dumps(None))
            os.close(w)
        while True:
            r, w = os.pipe()
            if os.fork() == 0:
                os.close(r)
                self.snaps.append((n, w))
                return
            os.close(w)
            try:
                with os.fdopen(r, 'rb') as fh:
                    m = pickle.load(fh)
            except EOFError:
                os._exit(0)
            if m is None:
                os._exit(0)
            self.target, self.breaks, alive, x, log = m
            if x + len(log) > len(self.log):
                self.log[x:] = log
            keep = []
            for x, w in self.snaps:
                if x in alive:
                    keep.append((x, w))
                else:
                    os.close(w)
            self.snaps = keep
            self.mode = 'goto'
            self.quiet = True
            self.ended = None
            self.due = n + max(500, (self.target - n) // 2)

    def back_to(self, target):
        """Gives way to a process that waits, the last one before."""
        flush()
        x, w = max(s for s in self.snaps if s[0] <= target)
        data = pickle.dumps((target, self.breaks, [y for y, v in self.snaps], x, self.log[x:]))
        while data:
            data = data[os.write(w, data):]
        os._exit(0)

    def depth(self, f):
        if STATE[0] is not None:
            return STATE[2] + len(STATE[0].stack) - STATE[0].hidden
        return f[0]

    def line(self, pos):
        return place(pos).rpartition(':')[0]

    def stop(self, f, at):
        self.n = n = self.n + 1
        log = self.log
        if n > len(log):
            log.append(at[0])
        if n >= self.due:
            self.snap(n)
        mode = self.mode
        if mode == 'goto':
            if n != self.target:
                return
        elif mode == 'next':
            if self.depth(f) > self.target:
                return
        elif mode == 'finish':
            if self.depth(f) >= self.target:
                return
        elif not self.breaks or self.line(at[0]) not in self.breaks:
            return
        self.arrive()
        self.say('@ %d %s' % (n, place(at[0])))
        self.commands(f, at)

    def arrive(self):
        if self.quiet:
            OUT.clear()
        self.quiet = False

    def say(self, t):
        OUT.append(t + '\n')

    def run(self):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.n = 0
        STATE[:] = None, None, 0
        self.main.begun = True
        try:
            self.main.code([0] + [None] * self.main.ctx.nslots)
            end = '@ end'
        except Err as e:
            end = '@ failed %s: %s' % (place(e.pos), e.code)
        self.n += 1
        self.arrive()
        self.ended = end
        self.say(end)
        self.commands(None, None)

    def back(self, n):
        self.back_to(max(n, 1))

    def commands(self, f, at):
        """Answers commands until one moves on; to go back, another process does."""
        while True:
            flush()
            raw = b''
            while not raw.endswith(b'\n'):
                c = os.read(0, 1)       # what others are to read has to stay there
                if not c:
                    break
                raw += c
            if not raw:
                os._exit(0)
            w = raw.decode('utf-8', 'replace').rstrip('\n').split(' ')
            w = [x for x in w if x]
            if not w:
                continue
            c = w[0]
            k = len(w) - 1
            if c not in ('step', 'next', 'finish', 'continue', 'back', 'reverse', 'goto', 'break', 'clear',
                         'stack', 'vars', 'quit'):
                self.say('@ error command')
                continue
            num = None
            ok = k == 0
            if c in ('step', 'back', 'goto'):
                if k == 1 and re.fullmatch('[1-9][0-9]{0,8}', w[1]):
                    num = int(w[1])
                    ok = True
                elif c == 'goto':
                    ok = False
                elif k == 0:
                    num = 1
            elif c in ('break', 'clear'):
                ok = k == 1 and re.fullmatch('(?s).+:[1-9][0-9]{0,8}', w[1])
            if not ok:
                self.say('@ error usage')
                continue
            if c == 'quit':
                os._exit(0)
            if c == 'break':
                self.breaks.add(w[1])
                self.say('@ ok')
                continue
            if c == 'clear':
                self.breaks.discard(w[1])
                self.say('@ ok')
                continue
            if c == 'back':
                self.check_first(self.n - num)
                continue
            if c == 'reverse':
                n = self.n - 1
                while n > 1 and self.line(self.log[n - 1]) not in self.breaks:
                    n -= 1
                self.check_first(n)
                continue
            if c == 'goto' and num < self.n:
                self.back(num)
            if self.ended is not None:
                self.say(self.ended)
                continue
            if c == 'goto' and num == self.n:
                self.say('@ %d %s' % (self.n, place(at[0])))
                continue
            if c == 'stack':
                self.stack(at)
                continue
            if c == 'vars':
                self.vars(f, at)
                continue
            self.mode = c
            if c == 'step':
                self.mode = 'goto'
                self.target = self.n + num
            elif c == 'goto':
                self.target = num
            elif c in ('next', 'finish'):
                self.target = self.depth(f)
            return

    def check_first(self, n):
        if not self.log:
            self.say(self.ended)
        elif self.n == 1:
            self.say('@ 1 ' + place(self.log[0]))
        else:
            self.back(n)

    def stack(self, at):
        p = place(at[0])
        cur, chain = STATE[:2]
        calls = []
        if cur is not None:
            i = len(chain) - 1
            while cur is not None:
                st = cur.stack
                for j in range(len(st) - 1, 0, -1):
                    if st[j][2] is not None:
                        calls.append((st[j][2], st[j][3]))
                calls.append((st[0][2], chain[i][4]))
                cur = chain[i][0]
                i -= 1
        calls += reversed(CALLS)
        for n, q in calls:
            self.say('@ %s at %s' % (n, p))
            p = place(q)
        self.say('@ %s at %s' % (self.main.name, p))

    def vars(self, f, at):
        info, comp = at[1:]
        blocks = []
        while info is not None:
            blocks.append(info)
            info = info[0]
        res = []
        for b in reversed(blocks):
            for v in list(b[1]) + b[2] + b[3][:b[4]]:
                res.append(v)
        seen = set()
        out = []
        for v in reversed(res):
            if v.name in seen or v.kind in ('module', 'import'):
                continue
            seen.add(v.name)
            if comp.in_cell(v):
                x = v.cell[0]
            elif v.captured:
                x = f[v.slot][0]
            else:
                x = f[v.slot]
            out.append('@ %s = %s' % (v.name, show_short(x)))
        for t in reversed(out):
            self.say(t)
        self.say('@ ok')


def forever():
    while True:
        yield None


def logic(st, f):
    k, t, a, conj, pos, steps, b = st
    v = a(f)
    if v is not True and v is not False:
        raise Err('type', pos)
    if v is conj:
        run = LOGIC.get(id(st))
        if run is None:
            run = LOGIC[id(st)] = GCompiler.simple(None, steps, b)
            LOGIC_KEEP.append(st)
        v = yield from run(f)
        if v is not True and v is not False:
            raise Err('type', pos)
    f[t] = v


LOGIC = {}
LOGIC_KEEP = []
SOURCES = []        # base, name, starts of lines; a position is the base and the place in the source
BASES = []


def add_source(name, src):
    base = SOURCES[-1][3] if SOURCES else 0
    lines = [0]
    i = src.find('\n')
    while i >= 0:
        lines.append(i + 1)
        i = src.find('\n', i + 1)
    SOURCES.append((base, name, lines, base + len(src) + 1))
    BASES.append(base)
    return base


def place(pos):
    base, name, lines, end = SOURCES[bisect_right(BASES, pos) - 1]
    pos -= base
    n = bisect_right(lines, pos)
    return '%s:%d:%d' % (name, n, pos - lines[n - 1] + 1)


def report(errs, trace=()):
    out = []
    for pos, code in errs:
        out.append('%s: %s\n' % (place(pos), code))
    groups = []
    for t in trace:
        if groups and groups[-1][0] == t:
            groups[-1][1] += 1
        else:
            groups.append([t, 1])
    n = len(groups)
    for i, (t, k) in enumerate(groups):
        if n > 20 and 10 <= i < n - 10:
            if i == 10:
                out.append('  ... %d more\n' % (n - 20))
            continue
        out.append('  in %s, %s at %s' % (t[0], 'resumed' if len(t) == 3 else 'called', place(t[1])))
        out.append(' (%d times)\n' % k if k > 1 else '\n')
    sys.stderr.buffer.write(''.join(out).encode('utf-8', 'surrogateescape'))
    sys.stderr.buffer.flush()


def resolve_path(name, path):
    """The name of the source that a path in the source name means; None if it is wrong."""
    folder = name.split('/')[:-1]
    for c in path.split('/'):
        if c == '':
            return None
        if c == '..':
            if not folder:
                return None
            folder.pop()
        elif c != '.':
            folder.append(c)
    return '/'.join(folder)


class Loader:
    def __init__(self, root):
        self.root = root
        self.modules = {}
        self.order = []

    def read(self, name):
        try:
            with open(os.path.join(self.root, name.encode('utf-8', 'surrogateescape')), 'rb') as fh:
                return fh.read()
        except (OSError, ValueError):
            return None

    def load(self, name, data):
        m = self.modules[name] = Module(name)
        self.order.append(m)
        m.ctx.pub = m.pub
        try:
            src = data.decode('utf-8')
        except UnicodeDecodeError as e:
            src = data[:e.start].decode('utf-8')
            m.errors.append((add_source(name, src) + len(src), 'encoding'))
            return m
        try:
            tree = Parser(src, add_source(name, src)).program()
        except StaticErr as e:
            m.errors.append((e.pos, e.code))
            return m
        m.tree = tree
        for s in tree.stmts:
            if s[0] == 'use':
                s[6] = self.use(m, s[2], s[3])
                if s[7]:
                    for n, p in s[5]:
                        m.again.setdefault(n, s[6])
            elif s[-1] is True and s[0] in ('decl', 'fndecl'):
                for n in (s[2].names if s[0] == 'decl' else [s[2]]):
                    if n not in m.pub:
                        v = m.pub[n] = Var(n, s[3] if s[0] == 'decl' else 'let', None, m.ctx)
                        v.cell = [UNSET]
                        m.cells.append(v.cell)
        return m

    def use(self, m, path, pos):
        name = resolve_path(m.name, path)
        if name is None:
            m.errors.append((pos, 'path'))
            return Module('')
        if name in self.modules:
            return self.modules[name]
        data = self.read(name)
        if data is None:
            m.errors.append((pos, 'file'))
            return Module('')
        return self.load(name, data)


def run_file(path, debug=False):
    global DEBUG
    try:
        with open(path, 'rb') as fh:
            data = fh.read()
    except (OSError, ValueError):
        return 3
    root, name = os.path.split(os.fsencode(path))
    loader = Loader(root)
    main = loader.load(name.decode('utf-8', 'surrogateescape'), data)
    errors = []
    for m in loader.order:
        for n in m.again:
            o = m
            seen = set()
            while o.tree is not None and o not in seen and n in o.again and (n not in o.pub or o.pub[n].ctx is not o.ctx):
                seen.add(o)
                o = o.again[n]
            if o in seen or n in m.pub:
                continue
            if o.tree is None:
                v = Var(n, 'let', None, o.ctx)
                v.cell = [UNSET]
                m.pub[n] = v
            elif n in o.pub:
                m.pub[n] = o.pub[n]
    for m in loader.order:
        if m.tree is not None:
            Resolver(m).body(m.tree, top=True)
        errors += sorted(m.errors)
    if errors:
        report(errors)
        return 2
    if debug:
        DEBUG = Debugger(loader, main)
    for m in loader.order:
        m.code = Compiler(m.ctx).body(m.tree)
    gc.enable()
    gc.freeze()
    gc.set_threshold(50000, 20, 20)
    if debug:
        DEBUG.run()
    main.begun = True
    try:
        main.code([0] + [None] * main.ctx.nslots)
    except Err as e:
        flush()
        report([(e.pos, e.code)], e.trace)
        return 1
    flush()
    return 0


def main():
    gc.disable()
    sys.setrecursionlimit(10 ** 9)
    try:
        import resource
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        want = 120 << 20
        if hard != resource.RLIM_INFINITY and hard < want:
            want = hard
        resource.setrlimit(resource.RLIMIT_STACK, (want, hard))
    except (ImportError, ValueError, OSError):
        pass
    if hasattr(sys, 'set_int_max_str_digits'):
        sys.set_int_max_str_digits(0)
    if len(sys.argv) != 3 or sys.argv[1] not in ('run', 'debug'):
        code = 3
    else:
        code = run_file(sys.argv[2], sys.argv[1] == 'debug')
    os._exit(code)


main()
