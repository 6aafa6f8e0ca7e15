import sys
import os
import gc
import re
from math import gcd

LIM = 10 ** 10000
NLIM = -LIM
MAXBITS = 33220


class StaticErr(Exception):
    def __init__(self, code, pos):
        self.code = code
        self.pos = pos


class Err(Exception):
    def __init__(self, code, pos):
        self.code = code
        self.pos = pos


# ---------------------------------------------------------------- values

class Q:
    __slots__ = ('n', 'd')

    def __init__(self, n, d):
        self.n = n
        self.d = d


class Builtin:
    __slots__ = ('name', 'lo', 'hi', 'fn')

    def __init__(self, name, lo, hi, fn):
        self.name = name
        self.lo = lo
        self.hi = hi
        self.fn = fn


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
    if t is list:
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
        for a, b in zip(x, y):
            if a is b:
                continue
            t = type(a)
            if t is not type(b):
                return False
            if t is list:
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
    return '<builtin %s>' % x.name


MOST = 1000000


class TooLong(Exception):
    pass


def show(x, most=MOST):
    if type(x) is not list:
        r = show_flat(x)
        if len(r) > most:
            raise TooLong()
        return r
    out = ['[']
    path = {id(x)}
    stack = [(x, iter(x))]
    first = True
    size = 0
    while stack:
        cur, it = stack[-1]
        for v in it:
            if first:
                first = False
            else:
                out.append(', ')
            size += len(out[-1])
            if size > most:
                raise TooLong()
            if type(v) is list:
                if id(v) in path:
                    out.append('[...]')
                    continue
                out.append('[')
                path.add(id(v))
                stack.append((v, iter(v)))
                first = True
                break
            r = show_flat(v)
            size += len(r)
            out.append(r)
        else:
            out.append(']')
            path.discard(id(cur))
            stack.pop()
            first = False
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


TYPES = {type(None): 'nil', bool: 'boolean', int: 'number', Q: 'number', str: 'text', list: 'list'}


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
    if t is list or t is str:
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


INF = 1 << 60
BUILTINS = {}
for _n, _lo, _hi, _fn in [
        ('print', 0, INF, b_print), ('text', 1, 1, b_text), ('quote', 1, 1, b_quote),
        ('type', 1, 1, b_type), ('number', 1, 1, b_number), ('decimal', 2, 2, b_decimal),
        ('len', 1, 1, b_len), ('push', 2, 2, b_push), ('pop', 1, 1, b_pop), ('cut', 3, 3, b_cut)]:
    BUILTINS[_n] = Builtin(_n, _lo, _hi, _fn)
B_JOIN = Builtin('join', 0, INF, b_join)      # of texts with insertions

# ---------------------------------------------------------------- lexer

KEYWORDS = set('let var if else while break continue true false nil and or not'.split())
TOKEN_RE = re.compile(r'''
    (?P<skip>(?:[ \t\n]+|\#[^\n]*)+)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<num>[0-9]+(?:\.[0-9]+)?)
  | (?P<text>")
  | (?P<op>\+\+=|\+\+|\+=|-=|\*=|\*\*|//|==|!=|<=|>=|[-+*/%<>=()\[\]{},;])
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


def lex(src):
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
        p = m.start()
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
    poss.append(len(src))
    return kinds, vals, poss


# ---------------------------------------------------------------- parser

PREC = {'or': 1, 'and': 2, '==': 4, '!=': 4, '<': 4, '<=': 4, '>': 4, '>=': 4,
        '++': 5, '+': 6, '-': 6, '*': 7, '/': 7, '//': 7, '%': 7}
ASSIGN = {'=': None, '+=': '+', '-=': '-', '*=': '*', '++=': '++'}


class Parser:
    def __init__(self, src):
        self.kinds, self.vals, self.poss = lex(src)
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
            body.append(self.statement())
        return body

    def block(self):
        self.expect('{')
        body = []
        while self.kinds[self.i] != '}':
            body.append(self.statement())
        self.i += 1
        return body

    def name(self):
        i = self.i
        if self.kinds[i] != 'name':
            self.fail()
        self.i = i + 1
        return self.vals[i], self.poss[i]

    def statement(self):
        i = self.i
        k = self.kinds[i]
        pos = self.poss[i]
        if k == 'let' or k == 'var':
            self.i += 1
            n, p = self.name()
            self.expect('=')
            e = self.expr(1)
            self.expect(';')
            return ['decl', p, n, k, e, None]
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
        if k == 'break' or k == 'continue':
            self.i += 1
            self.expect(';')
            return [k, pos]
        e = self.expr(1)
        k = self.kinds[self.i]
        if k in ASSIGN and (e[0] == 'name' or e[0] == 'index'):
            p = self.poss[self.i]
            self.i += 1
            r = self.expr(1)
            self.expect(';')
            return ['assign', p, e, ASSIGN[k], r]
        self.expect(';')
        return ['expr', pos, e]

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
            else:
                return e


# ---------------------------------------------------------------- resolver

class Var:
    __slots__ = ('name', 'kind', 'slot', 'captured')

    def __init__(self, name, kind, slot):
        self.name = name
        self.kind = kind
        self.slot = slot
        self.captured = False


class Scope:
    def __init__(self, outer):
        self.outer = outer
        self.vars = {}


class Resolver:
    def __init__(self):
        self.errors = []
        self.scope = Scope(None)
        for n, b in BUILTINS.items():
            v = Var(n, 'builtin', b)
            self.scope.vars[n] = v
        self.loops = 0
        self.nslots = 0
        self.D = {k[2:]: getattr(self, k) for k in dir(self) if k.startswith('r_')}

    def error(self, code, pos):
        self.errors.append((pos, code))

    def lookup(self, n):
        s = self.scope
        while s is not None:
            v = s.vars.get(n)
            if v is not None:
                return v
            s = s.outer
        return None

    def body(self, stmts):
        self.scope = Scope(self.scope)
        D = self.D
        for s in stmts:
            D[s[0]](s)
        self.scope = self.scope.outer

    def declare(self, n, kind, pos):
        if n in self.scope.vars:
            self.error('redeclared', pos)
            return self.scope.vars[n]
        v = Var(n, kind, self.nslots)
        self.nslots += 1
        self.scope.vars[n] = v
        return v

    def r_decl(self, s):
        self.D[s[4][0]](s[4])
        s[5] = self.declare(s[2], s[3], s[1])

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
        self.loops += 1
        self.body(s[3])
        self.loops -= 1

    def r_break(self, s):
        if not self.loops:
            self.error('loop', s[1])

    r_continue = r_break

    def r_assign(self, s):
        t = s[2]
        self.D[t[0]](t)
        if t[0] == 'name' and t[3] is not None and t[3].kind != 'var':
            self.error('constant', t[1])
        self.D[s[4][0]](s[4])

    def r_expr(self, s):
        self.D[s[2][0]](s[2])

    r_not = r_neg = r_expr

    def r_bin(self, e):
        a = e[2]
        self.D[a[0]](a)
        b = e[3]
        self.D[b[0]](b)

    r_and = r_or = r_index = r_bin

    def r_const(self, e):
        pass

    def r_list(self, e):
        for x in e[2]:
            self.D[x[0]](x)

    def r_call(self, e):
        x = e[2]
        self.D[x[0]](x)
        for x in e[3]:
            self.D[x[0]](x)

    def r_name(self, e):
        v = self.lookup(e[2])
        if v is None:
            self.error('undefined', e[1])
        e[3] = v


# ---------------------------------------------------------------- compiler

# Closures take the frame f, a list of slots.  Statements give None, or a signal.
BREAK = 1
CONTINUE = 2

SLOW = {'+': s_add, '-': s_sub, '*': s_mul, '/': s_div, '//': s_idiv, '%': s_mod, '**': s_pow,
        '++': s_cat, '==': s_eq, '!=': s_ne, '<': s_lt, '<=': s_le, '>': s_gt, '>=': s_ge}

OPERAND = {'c': '%s', 'l': 'f[%s]', 'k': 'f[%s][0]', 'e': '%s(f)'}
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
        env = globals().copy()
        exec(text, env)
        r = FACTORIES[key] = env['mk']
    return r


def binary(op, ka, a, kb, b, pos):
    return factory(op, ka, kb)(a, b, pos, SLOW[op])


def get_index(x, i, pos):
    t = type(x)
    if t is not list and t is not str:
        raise Err('type', pos)
    if type(i) is int:
        if 0 <= i < len(x):
            return x[i]
        raise Err('index', pos)
    raise Err('index' if type(i) is Q else 'type', pos)


def set_check(x, i, pos):
    if type(x) is not list:
        raise Err('type', pos)
    if type(i) is int:
        if 0 <= i < len(x):
            return
        raise Err('index', pos)
    raise Err('index' if type(i) is Q else 'type', pos)


def call_builtin(fn, args, pos):
    if type(fn) is not Builtin:
        raise Err('type', pos)
    if not fn.lo <= len(args) <= fn.hi:
        raise Err('arity', pos)
    return fn.fn(args, pos)


class Compiler:
    def __init__(self):
        self.D = {k[2:]: getattr(self, k) for k in dir(self) if k.startswith('c_')}

    def operand(self, e):
        k = e[0]
        if k == 'const':
            return 'c', e[2]
        if k == 'name':
            v = e[3]
            if v.kind == 'builtin':
                return 'c', v.slot
            return ('k' if v.captured else 'l'), v.slot
        return 'e', self.D[k](e)

    def x(self, e):
        return self.D[e[0]](e)

    def body(self, stmts):
        run = [self.D[s[0]](s) for s in stmts] if False else []
        for s in stmts:
            run.append(self.D[s[0]](s))
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

    def setter(self, v):
        return v.slot, v.captured

    def c_decl(self, s):
        v = s[5]
        slot = v.slot
        e = self.x(s[4])
        if v.captured:
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
        c = self.x(s[2])
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
            slot = v.slot
            if op is not None:
                # x op e, with e evaluated first
                e = self.swapped(op, v, r, pos)
            else:
                e = self.x(r)
            if v.captured:
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
        if op is None:
            def run(f):
                v = e(f)
                x = lst(f)
                i = idx(f)
                if type(x) is list and type(i) is int and 0 <= i < len(x):
                    x[i] = v
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
                set_check(x, i, p)
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
            set_check(x, i, p)
            x[i] = slow(x[i], v, pos)
        return run

    def swapped(self, op, v, r, pos):
        kb, b = self.operand(r)
        ka = 'k' if v.captured else 'l'
        if kb != 'e':
            return binary(op, ka, v.slot, kb, b, pos)
        key = (op, ka, 'swap')
        mk = FACTORIES.get(key)
        if mk is None:
            text = ('def mk(a, b, pos, slow):\n    def run(f):\n        y = b(f)\n        x = %s\n%s'
                    '        return slow(x, y, pos)\n    return run\n'
                    % (OPERAND[ka] % 'a', FAST.get(op, '')))
            env = globals().copy()
            exec(text, env)
            mk = FACTORIES[key] = env['mk']
        return mk(v.slot, b, pos, SLOW[op])

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
            env = globals().copy()
            exec(text, env)
            mk = FACTORIES[key] = env['mk']
        return mk(a, b, pos)

    def c_call(self, e):
        fn = self.x(e[2])
        args = []
        for x in e[3]:
            args.append(self.x(x))
        pos = e[1]
        args = tuple(args)

        def call(f):
            c = fn(f)
            vals = []
            for a in args:
                vals.append(a(f))
            if type(c) is not Builtin:
                raise Err('type', pos)
            if not c.lo <= len(vals) <= c.hi:
                raise Err('arity', pos)
            return c.fn(vals, pos)
        return call


# ---------------------------------------------------------------- main

def place(src, pos):
    line = src.count('\n', 0, pos) + 1
    return line, pos - (src.rfind('\n', 0, pos) + 1) + 1


def report(name, src, errs):
    out = b''
    for code, pos in errs:
        out += name + (':%d:%d: %s\n' % (place(src, pos) + (code,))).encode()
    sys.stderr.buffer.write(out)
    sys.stderr.buffer.flush()


def run_file(path):
    try:
        with open(path, 'rb') as fh:
            data = fh.read()
    except (OSError, ValueError):
        return 3
    name = os.path.basename(os.fsencode(path))
    try:
        src = data.decode('utf-8')
    except UnicodeDecodeError as e:
        src = data[:e.start].decode('utf-8')
        report(name, src, [('encoding', len(src))])
        return 2
    try:
        tree = Parser(src).program()
    except StaticErr as e:
        report(name, src, [(e.code, e.pos)])
        return 2
    res = Resolver()
    res.body(tree)
    if res.errors:
        report(name, src, [(c, p) for p, c in sorted(res.errors)])
        return 2
    code = Compiler().body(tree)
    gc.enable()
    gc.freeze()
    gc.set_threshold(50000, 20, 20)
    try:
        code([None] * res.nslots)
    except Err as e:
        flush()
        report(name, src, [(e.code, e.pos)])
        return 1
    flush()
    return 0


def main():
    gc.disable()
    sys.setrecursionlimit(10 ** 9)
    if hasattr(sys, 'set_int_max_str_digits'):
        sys.set_int_max_str_digits(0)
    if len(sys.argv) != 3 or sys.argv[1] != 'run':
        code = 3
    else:
        code = run_file(sys.argv[2])
    os._exit(code)


main()
