#!/usr/bin/env python3
"""Snapshots of a tree: everything in one file."""
import base64
import bisect
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from datetime import datetime, timedelta

CHUNK = 1 << 18
SMALL = {}  # short objects that have been checked
FORMAT = b'snapshot-archive 1\n'
BLOCK = None  # length of blocks of the open archive, None: whole contents
MAX_BLOCK = 1073741824
MAX_COMPARE = 1048576


class Fail(Exception):
    def __init__(self, code, **more):
        Exception.__init__(self, code)
        self.code = code
        self.more = more


# ---------------------------------------------------------------- names

PLAIN = re.compile(rb'[ -$&-~]*')


def enc(b):
    if PLAIN.fullmatch(b):
        return b.decode()
    out = []
    for c in b.decode('utf-8', 'surrogateescape'):
        o = ord(c)
        if 0xDC80 <= o <= 0xDCFF:
            out.append('%%%02X' % (o - 0xDC00))
        elif o < 0x20 or o == 0x7F or c == '%':
            out.append('%%%02X' % o)
        else:
            out.append(c)
    return ''.join(out)


def dec(t):
    """The bytes of a text, ValueError if it is malformed."""
    if not isinstance(t, str):
        raise ValueError
    raw = t.encode('utf-8')  # UnicodeEncodeError is a ValueError
    if PLAIN.fullmatch(raw):
        return raw
    b = re.sub(rb'%([0-9A-F]{2})', lambda m: bytes([int(m.group(1), 16)]), raw)
    if enc(b) != t:
        raise ValueError
    return b


def dec_path(t):
    b = dec(t)
    if b'\0' in b:
        raise ValueError
    for part in b.split(b'/'):
        if part in (b'', b'.', b'..'):
            raise ValueError
    return b


def dec_target(t):
    b = dec(t)
    if not b or b'\0' in b:
        raise ValueError
    return b


# ---------------------------------------------------------------- instants and such

INSTANT = re.compile(r'([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:Z|([+-])([0-9]{2}):([0-9]{2}))')


def fmt_instant(d):
    return '%04d-%02d-%02dT%02d:%02d:%02dZ' % (d.year, d.month, d.day, d.hour, d.minute, d.second)


def parse_instant(t):
    m = INSTANT.fullmatch(t)
    if not m:
        raise ValueError
    d = datetime(*[int(x) for x in m.groups()[:6]])
    if m.group(7):
        h, mi = int(m.group(8)), int(m.group(9))
        if h > 23 or mi > 59:
            raise ValueError
        off = timedelta(hours=h, minutes=mi)
        try:
            d = d - off if m.group(7) == '+' else d + off
        except OverflowError:
            raise ValueError
    if d.year < 1970:
        raise ValueError
    return fmt_instant(d)


def is_label(t):
    return isinstance(t, str) and re.fullmatch(r'[a-z0-9-]{1,32}', t) is not None


def is_mode(t):
    return isinstance(t, str) and re.fullmatch(r'[0-7]{4}', t) is not None


def is_size(n):
    return isinstance(n, int) and not isinstance(n, bool) and n >= 0


def is_sha(t):
    return isinstance(t, str) and re.fullmatch(r'[0-9a-f]{64}', t) is not None


def no_dups(pairs):
    d = dict(pairs)
    if len(d) != len(pairs):
        raise ValueError
    return d


def bad_const(_):
    raise ValueError


def load_json(text):
    try:
        return json.loads(text, object_pairs_hook=no_dups, parse_constant=bad_const)
    except RecursionError:
        raise ValueError


def canonical(o):
    return json.dumps(o, ensure_ascii=False, sort_keys=True, separators=(',', ':')).encode('utf-8')


# ---------------------------------------------------------------- scanning

def hash_file(path):
    h = hashlib.sha256()
    n = 0
    with open(path, 'rb') as f:
        while True:
            b = f.read(CHUNK)
            if not b:
                break
            h.update(b)
            n += len(b)
    return n, h.hexdigest()


def walk(folder, skip=None):
    """(relative path, lstat) of everything below the folder, in order; only the names around a path are kept."""
    todo = [(b'', None)]
    while todo:
        rel, names = todo[-1]
        if names is None:
            names = []
            with os.scandir(os.path.join(folder, rel) if rel else folder) as it:
                for e in it:
                    names.append(e.name)
                    if e.is_dir(follow_symlinks=False):
                        # with the slash: what is in it comes after names such as a-b
                        names.append(e.name + b'/')
            names.sort(reverse=True)
            todo[-1] = rel, names
        if not names:
            todo.pop()
            continue
        p = rel + names.pop()
        if p.endswith(b'/'):
            todo.append((p, None))
            continue
        st = os.lstat(os.path.join(folder, p))
        if stat.S_ISDIR(st.st_mode) and skip is not None and (st.st_dev, st.st_ino) == skip:
            names.remove(p[len(rel):] + b'/')
            continue
        yield p, st


def scan_entries(folder, content, skip=None):
    names = {}
    for p, st in walk(folder, skip):
        full = os.path.join(folder, p)
        mode = '%04o' % stat.S_IMODE(st.st_mode)
        if stat.S_ISDIR(st.st_mode):
            yield {'path': enc(p), 'type': 'dir', 'mode': mode}
        elif stat.S_ISLNK(st.st_mode):
            yield {'path': enc(p), 'type': 'link', 'target': enc(os.readlink(full))}
        elif stat.S_ISREG(st.st_mode):
            key = (st.st_dev, st.st_ino)
            if key in names:
                yield {'path': enc(p), 'type': 'hard', 'target': names[key]}
                continue
            if st.st_nlink > 1:
                names[key] = enc(p)
            size, sha = content(full)
            yield {'path': enc(p), 'type': 'file', 'mode': mode, 'size': size, 'sha256': sha}


def need_folder(folder):
    if not os.path.isdir(folder):
        raise Fail('not_a_folder')


def emit(lines):
    out = sys.stdout.buffer
    for o in lines:
        out.write(json.dumps(o, ensure_ascii=False).encode('utf-8') + b'\n')
    out.flush()


def cmd_scan(a, o):
    need_folder(a[0])
    emit(scan_entries(a[0], hash_file))


# ---------------------------------------------------------------- building

def make_folders(path, made=None):
    """Makes a folder with all folders around it, mode 0755."""
    path = os.path.join(os.getcwdb(), path)
    todo = []
    while not os.path.lexists(path):
        todo.append(path)
        path = os.path.dirname(path.rstrip(b'/'))
    if not os.path.isdir(path):
        raise NotADirectoryError
    for p in reversed(todo):
        if os.path.isdir(p):
            continue
        os.mkdir(p, 0o700)
        os.chmod(p, 0o755)
        if made is not None:
            made.append(p)


def check_line(raw):
    e = load_json(raw.decode('utf-8'))
    if not isinstance(e, dict):
        raise ValueError
    e['path'] = e.get('path')
    dec_path(e['path'])
    keys = set(e) - {'path', 'type'}
    t = e.get('type')
    if t in ('dir', 'file') and 'mode' in keys:
        if not is_mode(e['mode']):
            raise ValueError
        keys.discard('mode')
    if t == 'dir' or t == 'gone':
        ok = not keys
    elif t == 'file':
        if keys == {'text'}:
            ok = isinstance(e['text'], str)
            e['text'].encode('utf-8')
        elif keys == {'base64'}:
            ok = isinstance(e['base64'], str) and re.fullmatch(
                r'(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?', e['base64']) is not None
        elif keys == {'size', 'repeat'}:
            ok = is_size(e['size']) and isinstance(e['repeat'], str) and e['repeat'] != ''
            e['repeat'].encode('utf-8')
        else:
            ok = False
    elif t == 'link':
        ok = keys == {'target'}
        if ok:
            dec_target(e['target'])
    elif t == 'hard':
        ok = keys == {'target'}
        if ok:
            dec_path(e['target'])
    else:
        ok = False
    if not ok:
        raise ValueError
    return e


def lst(path):
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_dir(st):
    return st is not None and stat.S_ISDIR(st.st_mode)


def remove_tree(path):
    st = lst(path)
    if st is None:
        return
    if not stat.S_ISDIR(st.st_mode):
        os.unlink(path)
        return
    if os.geteuid() != 0:
        os.chmod(path, 0o700)
    for n in os.listdir(path):
        remove_tree(os.path.join(path, n))
    os.rmdir(path)


def parents(rel):
    parts = rel.split(b'/')
    return [b'/'.join(parts[:i]) for i in range(1, len(parts))]


def write_content(f, e):
    if 'text' in e:
        f.write(e['text'].encode('utf-8'))
    elif 'base64' in e:
        f.write(base64.b64decode(e['base64']))
    else:
        one = e['repeat'].encode('utf-8')
        block = one * max(1, CHUNK // len(one))
        left = e['size']
        while left >= len(block):
            f.write(block)
            left -= len(block)
        f.write(block[:left])


def build_line(folder, e, modes):
    rel = dec_path(e['path'])
    full = os.path.join(folder, rel)
    t = e['type']
    bad = Fail('cannot_build', path=e['path'])
    missing = []
    for p in parents(rel):
        st = lst(os.path.join(folder, p))
        if st is None:
            missing.append(p)
        elif not stat.S_ISDIR(st.st_mode):
            if t == 'gone':
                return
            raise bad
    st = None if missing else lst(full)
    if t == 'gone':
        if st is not None:
            remove_tree(full)
            for k in [k for k in modes if k == rel or k.startswith(rel + b'/')]:
                del modes[k]
        return
    if t == 'dir':
        if st is not None and not is_dir(st):
            raise bad
    elif is_dir(st):
        raise bad
    if t == 'hard':
        target = dec_path(e['target'])
        for p in parents(target):
            if not is_dir(lst(os.path.join(folder, p))):
                raise bad
        tst = lst(os.path.join(folder, target))
        if tst is None or not stat.S_ISREG(tst.st_mode):
            raise bad
        if st is not None and (st.st_dev, st.st_ino) == (tst.st_dev, tst.st_ino):
            return
    for p in missing:
        os.mkdir(os.path.join(folder, p), 0o700)
        modes[p] = 0o755
    if t == 'dir':
        if st is None:
            os.mkdir(full, 0o700)
            modes[rel] = int(e.get('mode', '0755'), 8)
        elif 'mode' in e:
            modes[rel] = int(e['mode'], 8)
        return
    if st is not None:
        os.unlink(full)
    if t == 'file':
        with open(os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'wb') as f:
            write_content(f, e)
            f.flush()
            os.fchmod(f.fileno(), int(e.get('mode', '0644'), 8))
    elif t == 'link':
        os.symlink(dec_target(e['target']), full)
    else:
        os.link(os.path.join(folder, target), full, follow_symlinks=False)


def cmd_build(a, o):
    folder, listing = a
    try:
        f = open(listing, 'rb')
        if not f.seekable():
            g = tempfile.TemporaryFile()
            shutil.copyfileobj(f, g)
            g.seek(0)
            f = g
        n = 0
        for raw in f:
            n += 1
            try:
                check_line(raw)
            except (ValueError, AttributeError, TypeError):
                raise Fail('bad_listing', line=n)
        f.seek(0)
    except OSError:
        raise Fail('no_listing')
    try:
        if not folder:
            raise NotADirectoryError
        make_folders(folder)
    except OSError:
        raise Fail('not_a_folder')
    modes = {}
    try:
        for raw in f:
            e = check_line(raw)
            try:
                build_line(folder, e, modes)
            except OSError:
                raise Fail('cannot_build', path=e['path'])
    finally:
        for p in sorted(modes, reverse=True):
            os.chmod(os.path.join(folder, p), modes[p])


# ---------------------------------------------------------------- archives

def open_archive(arc):
    global BLOCK
    try:
        with open(os.path.join(arc, b'format'), 'rb') as f:
            text = f.read(100)
    except OSError:
        raise Fail('no_archive')
    if text == FORMAT:
        BLOCK = None
        return
    m = re.fullmatch(rb'snapshot-archive 2\nblock ([1-9][0-9]{0,9})\n', text)
    if not m or int(m.group(1)) > MAX_BLOCK:
        raise Fail('no_archive')
    BLOCK = int(m.group(1))


def cmd_init(a, o):
    arc = a[0]
    try:
        if not arc:
            raise NotADirectoryError
        make_folders(arc)
        if os.listdir(arc):
            raise Fail('not_empty')
    except OSError:
        raise Fail('not_empty')
    for n in (b'objects', b'recipes', b'snapshots'):
        os.mkdir(os.path.join(arc, n))
    with open(os.path.join(arc, b'format'), 'wb') as f:
        f.write(b'snapshot-archive 2\nblock %d\n' % o.get('--block', 65536))


def object_rel(sha):
    return 'objects/%s/%s' % (sha[:2], sha[2:])


def object_path(arc, sha):
    return os.path.join(arc, object_rel(sha).encode())


def recipe_rel(sha):
    return 'recipes/%s/%s' % (sha[:2], sha[2:])


def recipe_path(arc, sha):
    return os.path.join(arc, recipe_rel(sha).encode())


def is_long(size):
    return BLOCK is not None and size > BLOCK


def recipe_lines(arc, sha):
    """The names of the blocks; ValueError if it is malformed (told at once, before the first name)."""
    with open(recipe_path(arc, sha), 'rb') as f:
        n = 0
        while True:
            line = f.readline(66)
            if not line:
                break
            if not re.fullmatch(rb'[0-9a-f]{64}\n', line):
                raise ValueError
            n += 1
        if not n:
            raise ValueError
        f.seek(0)
        for line in f:
            yield line[:64].decode()


def content_there(arc, sha, size):
    if not is_long(size):
        return os.path.exists(object_path(arc, sha))
    try:
        there = set()
        for b in recipe_lines(arc, sha):
            if b not in there:
                if not os.path.exists(object_path(arc, b)):
                    return False
                there.add(b)
    except (OSError, ValueError):
        return False
    return True


def content_chunks(arc, sha, size):
    names = recipe_lines(arc, sha) if is_long(size) else [sha]
    for n in names:
        if (arc, n) in SMALL:
            yield SMALL[arc, n]
            continue
        with open(object_path(arc, n), 'rb') as f:
            while True:
                b = f.read(CHUNK)
                if not b:
                    break
                yield b


def snapshot_ids(arc):
    try:
        names = os.listdir(os.path.join(arc, b'snapshots'))
    except OSError:
        return []
    return sorted(n.decode() for n in names if re.fullmatch(rb'[0-9a-f]{64}', n))


TEXT = rb'"([ !#-[\]-\xff]*(?:\\["\\][ !#-[\]-\xff]*)*)"'
ENTRY = re.compile(rb'\{(?:"mode":"([0-7]{4})",)?"path":' + TEXT + rb'(?:,"sha256":"([0-9a-f]{64})","size":(0|[1-9][0-9]*))?'
                   rb'(?:,"target":' + TEXT + rb')?,"type":"(dir|file|link|hard)"\}([],])')


def untext(b):
    return json.loads(b'"' + b + b'"') if b'\\' in b else b.decode('utf-8')


def read_snapshot(f, s, hasher=None):
    """The entries of the snapshot in an open file, one by one, ValueError if it is none; s gets what is known of it.

    With s['targets'], the paths that hard links lead to, hard entries are as files, too: under 'as'.
    """
    buf = b''
    pos = 0

    def more():
        nonlocal buf, pos
        b = f.read(CHUNK)
        if not b or len(buf) - pos > 1 << 20:
            raise ValueError
        if hasher is not None:
            hasher.update(b)
        buf = buf[pos:] + b
        pos = 0

    while len(buf) < 51:
        more()
    m = re.match(rb'\{"at":"([^"]{20})","entries":\[', buf)
    if not m:
        raise ValueError
    s['at'] = m.group(1).decode('ascii')
    if parse_instant(s['at']) != s['at']:
        raise ValueError
    pos = m.end()
    known = s.get('targets')
    found = set()
    first = {}
    open_folders = []
    last = b''
    s['files'] = s['bytes'] = s['entries'] = 0
    if buf[pos:pos + 1] == b']':
        pos += 1
        goes_on = False
    else:
        goes_on = True
    while goes_on:
        m = ENTRY.match(buf, pos)
        if not m:
            more()
            continue
        pos = m.end()
        mode, p, sha, size, target, t, x = m.groups()
        goes_on = x == b','
        t = t.decode()
        p = untext(p)
        e = {'path': p, 'type': t}
        folder, slash, name = p.rpartition('/')
        # the folder has been looked at before
        while open_folders and not p.startswith(open_folders[-1][0]):
            open_folders.pop()
        if slash:
            b = None
            for x in reversed(open_folders):
                if len(x[0]) <= len(folder):
                    if x[0] == folder:
                        b = x[1] + b'/' + dec_path(name)
                    break
            if b is None:
                raise ValueError
        else:
            b = dec_path(name)
        if b <= last:
            raise ValueError
        last = s['path'] = b
        keys = mode is not None, sha is not None, target is not None
        if mode is not None:
            e['mode'] = mode.decode()
        if target is not None:
            e['target'] = untext(target)
        if t == 'dir':
            ok = keys == (True, False, False)
            open_folders.append((p, b))
        elif t == 'file':
            ok = keys == (True, True, False)
            s['files'] += 1
            if ok:
                e['size'] = int(size)
                e['sha256'] = sha.decode()
                s['bytes'] += e['size']
            if known and p in known:
                first[p] = e
        else:
            ok = keys == (False, False, True)
            if ok and t == 'link':
                dec_target(e['target'])
            elif ok:
                dec_path(e['target'])
                if known is not None:
                    ok = e['target'] in first
                    if ok:
                        e['as'] = dict(first[e['target']], path=p)
                else:
                    found.add(e['target'])
        if not ok:
            raise ValueError
        s['entries'] += 1
        yield e
    while len(buf) - pos < 60:
        try:
            more()
        except ValueError:
            break
    m = re.fullmatch(rb',"label":(?:null|"([a-z0-9-]{1,32})")\}\n', buf[pos:])
    if not m:
        raise ValueError
    s['label'] = m.group(1).decode() if m.group(1) is not None else None
    if known is None:
        s['targets'] = found


def snapshot_file(arc, sid):
    return open(os.path.join(arc, b'snapshots', sid.encode()), 'rb')


def load_snapshot(arc, sid):
    """What is known of a snapshot without its entries."""
    try:
        h = hashlib.sha256()
        s = {'snapshot': sid}
        with snapshot_file(arc, sid) as f:
            for _ in read_snapshot(f, s, h):
                pass
        if h.hexdigest() != sid:
            raise ValueError
        if s['targets']:
            for _ in entries_of(arc, s):
                pass
        return s
    except (OSError, ValueError, TypeError):
        raise Fail('damaged', file='snapshots/' + sid)


def open_snapshot(arc, s):
    return open(s['open'], 'rb') if 'open' in s else snapshot_file(arc, s['snapshot'])


def entries_of(arc, s):
    with open_snapshot(arc, s) as f:
        for e in read_snapshot(f, {'targets': s['targets']}):
            yield e


def plain(e):
    return {k: v for k, v in e.items() if k != 'as'} if 'as' in e else e


def all_snapshots(arc):
    out = []
    for sid in snapshot_ids(arc):
        s = load_snapshot(arc, sid)
        out.append({k: s[k] for k in ('snapshot', 'at', 'label', 'files', 'bytes')})
    out.sort(key=lambda x: (x['at'], x['snapshot']))
    return out


def parse_ref(text):
    try:
        text = text.decode('utf-8')
        if text == 'latest':
            return text, None
        if text.startswith('@'):
            return text, parse_instant(text[1:])
        if re.fullmatch(r'[0-9a-f]{4,64}', text):
            return text, None
    except ValueError:
        pass
    raise Fail('usage')


def resolve(arc, ref, known=None):
    text, at = ref
    if text == 'latest' or at is not None:
        if known is None:
            known = all_snapshots(arc)
        have = [s['snapshot'] for s in known if at is None or s['at'] <= at]
        have = have[-1:]
    else:
        have = [s for s in snapshot_ids(arc) if s.startswith(text)]
    if not have:
        raise Fail('no_snapshot', snapshot=text)
    if len(have) > 1:
        raise Fail('ambiguous', snapshot=text, count=len(have))
    return have[0]


def find_snapshot(arc, ref):
    sid = resolve(arc, ref)
    return sid, load_snapshot(arc, sid)


def check_object(arc, sha, whole=None):
    if (arc, sha) in SMALL:
        if whole is not None:
            whole.update(SMALL[arc, sha])
        return
    path = object_path(arc, sha)
    if not os.path.exists(path):
        raise Fail('missing', file=object_rel(sha))
    h = hashlib.sha256()
    start = b''
    try:
        with open(path, 'rb') as f:
            while True:
                b = f.read(CHUNK)
                if not b:
                    break
                if len(start) <= 256:
                    start += b
                h.update(b)
                if whole is not None:
                    whole.update(b)
    except OSError:
        raise Fail('damaged', file=object_rel(sha))
    if h.hexdigest() != sha:
        raise Fail('damaged', file=object_rel(sha))
    if len(start) <= 256 and len(SMALL) < 5000:
        SMALL[arc, sha] = start


def check_content(arc, sha, size):
    if not is_long(size):
        check_object(arc, sha)
        return
    if not os.path.exists(recipe_path(arc, sha)):
        raise Fail('missing', file=recipe_rel(sha))
    whole = hashlib.sha256()
    try:
        for b in recipe_lines(arc, sha):
            check_object(arc, b, whole)
    except (OSError, ValueError):
        raise Fail('damaged', file=recipe_rel(sha))
    if whole.hexdigest() != sha:
        raise Fail('damaged', file=recipe_rel(sha))


def stat_key(p):
    st = os.stat(p)
    return st.st_dev, st.st_ino


def cmd_save(a, o):
    arc, folder = a
    open_archive(arc)
    need_folder(folder)
    own = stat_key(arc)
    p = os.path.realpath(folder)
    while True:
        if stat_key(p) == own:
            raise Fail('inside_archive')
        up = os.path.dirname(p)
        if up == p:
            break
        p = up
    tmp = os.path.join(arc, b'tmp')
    added = [0, 0]
    new_file = os.path.join(tmp, b'new-%d' % os.getpid())

    new_recipe = new_file + b'-r'

    there = set()

    def put(h, size):
        if h in there:
            return
        if len(there) < 20000:
            there.add(h)
        dest = object_path(arc, h)
        if not os.path.exists(dest):
            os.makedirs(os.path.dirname(dest), exist_ok=True)
            os.rename(new_file, dest)
            added[0] += 1
            added[1] += size

    def content(full):
        size, sha = hash_file(full)
        if content_there(arc, sha, size):
            return size, sha
        whole = hashlib.sha256()
        size = 0
        blocks = 0
        with open(full, 'rb') as f, open(new_recipe, 'wb') as r:
            more = True
            while more:
                h = hashlib.sha256()
                n = 0
                if BLOCK is not None and BLOCK <= CHUNK:
                    b = f.read(BLOCK)
                    n = len(b)
                    more = n == BLOCK
                    if n == 0 and blocks:
                        break
                    h.update(b)
                    whole.update(b)
                    if h.hexdigest() not in there and not os.path.exists(object_path(arc, h.hexdigest())):
                        with open(new_file, 'wb') as g:
                            g.write(b)
                else:
                    with open(new_file, 'wb') as g:
                        while BLOCK is None or n < BLOCK:
                            b = f.read(CHUNK if BLOCK is None else min(CHUNK, BLOCK - n))
                            if not b:
                                more = False
                                break
                            h.update(b)
                            whole.update(b)
                            g.write(b)
                            n += len(b)
                    if n == 0 and blocks:
                        break
                put(h.hexdigest(), n)
                r.write(h.hexdigest().encode() + b'\n')
                size += n
                blocks += 1
        sha = whole.hexdigest()
        if blocks > 1:
            dest = recipe_path(arc, sha)
            os.makedirs(os.path.dirname(dest), exist_ok=True)
            os.rename(new_recipe, dest)
        return size, sha

    base = None
    if '--changes' in o:
        base = base_of(all_snapshots(arc), o['--at'], o.get('--label'))
        old = Tree(arc, load_snapshot(arc, base) if base else None)
    new_snapshot = new_file + b'-s'
    try:
        os.makedirs(tmp, exist_ok=True)
        s = {'files': 0, 'bytes': 0, 'targets': set()}
        h = hashlib.sha256()
        with open(new_snapshot, 'wb') as f:
            b = b'{"at":%s,"entries":[' % canonical(o['--at'])
            for e in scan_entries(folder, content, own):
                b += canonical(e)
                f.write(b)
                h.update(b)
                b = b','
                if e['type'] == 'file':
                    s['files'] += 1
                    s['bytes'] += e['size']
                elif e['type'] == 'hard':
                    s['targets'].add(e['target'])
            b = (b if b[:1] == b'{' else b'') + b'],"label":%s}\n' % canonical(o.get('--label'))
            f.write(b)
            h.update(b)
        sid = h.hexdigest()
        dest = os.path.join(arc, b'snapshots', sid.encode())
        new = not os.path.exists(dest)
        s['open'] = new_snapshot
        if new:
            os.makedirs(os.path.dirname(dest), exist_ok=True)
            os.rename(new_snapshot, dest)
            s['open'] = dest
        line = {'snapshot': sid, 'at': o['--at'], 'label': o.get('--label'), 'files': s['files'], 'bytes': s['bytes'],
                'new': new, 'new_objects': added[0], 'new_bytes': added[1]}
        if '--changes' in o:
            line['base'] = base
            emit([line])
            emit(diff_trees(old, Tree(arc, s), 60 if base else 0))
        else:
            emit([line])
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def cmd_list(a, o):
    open_archive(a[0])
    label = o.get('--label')
    emit([s for s in all_snapshots(a[0]) if label is None or s['label'] == label])


def cmd_show(a, o):
    arc, ref = a
    open_archive(arc)
    s = find_snapshot(arc, ref)[1]
    emit(plain(e) for e in entries_of(arc, s))


def cmd_cat(a, o):
    arc, ref, path = a
    open_archive(arc)
    s = find_snapshot(arc, ref)[1]
    e = None
    for x in entries_of(arc, s):
        if x['path'] == path:
            e = x.get('as', x)
            break
    if e is None or e['type'] != 'file':
        raise Fail('not_a_file')
    check_content(arc, e['sha256'], e['size'])
    for b in content_chunks(arc, e['sha256'], e['size']):
        sys.stdout.buffer.write(b)
    sys.stdout.buffer.flush()


def restore_entries(arc, entries, target):
    for e in entries():
        full = os.path.join(target, dec_path(e['path']))
        if e['type'] == 'dir':
            os.mkdir(full, 0o700)
        elif e['type'] == 'link':
            os.symlink(dec_target(e['target']), full)
        elif e['type'] == 'hard':
            os.link(os.path.join(target, dec_path(e['target'])), full, follow_symlinks=False)
        else:
            with open(os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'wb') as g:
                for b in content_chunks(arc, e['sha256'], e['size']):
                    g.write(b)
                g.flush()
                os.fchmod(g.fileno(), int(e['mode'], 8))
    around = []
    for e in entries():
        if e['type'] == 'dir':
            while around and not e['path'].startswith(around[-1]['path']):
                x = around.pop()
                os.chmod(os.path.join(target, dec_path(x['path'])), int(x['mode'], 8))
            around.append(e)
    for e in reversed(around):
        os.chmod(os.path.join(target, dec_path(e['path'])), int(e['mode'], 8))


def cmd_restore(a, o):
    arc, ref, target = a
    open_archive(arc)
    sid, s = find_snapshot(arc, ref)
    target = target.rstrip(b'/') or target[:1]
    if not target:
        raise Fail('target_exists')
    try:
        st = os.lstat(target)
        if not stat.S_ISDIR(st.st_mode) or os.listdir(target):
            raise Fail('target_exists')
    except FileNotFoundError:
        pass
    except OSError:
        raise Fail('target_exists')
    done = set()
    for e in entries_of(arc, s):
        if e['type'] == 'file' and e['sha256'] not in done:
            check_content(arc, e['sha256'], e['size'])
            done.add(e['sha256'])
    made = []
    try:
        try:
            make_folders(target, made)
        except NotADirectoryError:
            raise Fail('target_exists')
        restore_entries(arc, lambda: entries_of(arc, s), target)
    except BaseException:
        if os.path.isdir(target):
            for n in os.listdir(target):
                remove_tree(os.path.join(target, n))
        for p in reversed(made):
            os.rmdir(p)
        raise
    emit([{'snapshot': sid, 'entries': s['entries'], 'bytes': s['bytes']}])


# ---------------------------------------------------------------- comparing

class Tree:
    """Entries by the bytes of their paths, hard links as files; knows how to read contents."""

    def __init__(self, arc, snapshot=None, folder=None, skip=None):
        self.arc = arc
        self.snapshot = snapshot
        self.folder = folder
        self.skip = skip

    def entries(self):
        """(path, entry) in order, anew each time."""
        if self.folder is not None:
            names = {}
            for e in scan_entries(self.folder, hash_file, self.skip):
                p = dec(e['path'])
                if e['type'] == 'hard':
                    e = dict(names[e['target']], path=e['path'])
                elif e['type'] == 'file' and os.lstat(os.path.join(self.folder, p)).st_nlink > 1:
                    names[e['path']] = e
                yield p, e
        elif self.snapshot is not None:
            s = {'targets': self.snapshot['targets']}
            with open_snapshot(self.arc, self.snapshot) as f:
                for e in read_snapshot(f, s):
                    yield s['path'], e.get('as', e)

    def find(self, path):
        for p, e in self.entries():
            if p == path:
                return e
        return None

    def read(self, e):
        """A content, None if it cannot be read."""
        try:
            if self.folder is not None:
                with open(os.path.join(self.folder, dec(e['path'])), 'rb') as f:
                    return f.read(MAX_COMPARE + 1)
            check_content(self.arc, e['sha256'], e['size'])
            return b''.join(content_chunks(self.arc, e['sha256'], e['size']))
        except (OSError, ValueError, Fail):
            return None


def count_lines(data):
    out = {}
    parts = data.split(b'\n')
    for i, p in enumerate(parts):
        if i < len(parts) - 1:
            p += b'\n'
        elif not p:
            break
        key = (len(p), p if len(p) <= 32 else hashlib.sha256(p).digest())
        out[key] = out.get(key, 0) + 1
    return out


def last_part(p):
    return p.rpartition(b'/')[2]


def both(old, new):
    """(path, entry in OLD or None, entry in NEW or None) in order."""
    old = old.entries()
    new = new.entries()
    a = next(old, None)
    b = next(new, None)
    while a is not None or b is not None:
        if b is None or a is not None and a[0] < b[0]:
            yield a[0], a[1], None
            a = next(old, None)
        elif a is None or b[0] < a[0]:
            yield b[0], None, b[1]
            b = next(new, None)
        else:
            yield a[0], a[1], b[1]
            a = next(old, None)
            b = next(new, None)


def find_renames(old, new, threshold):
    """{new path: (old entry, similarity in percent)}"""
    res = {}
    olds = {}
    news = {}
    gone = {}
    come = {}
    for p, a, b in both(old, new):
        if a is not None and b is not None:
            continue
        e, by, groups = (a, gone, olds) if b is None else (b, come, news)
        if e['type'] == 'file' and e['size']:
            groups.setdefault(('file', e['sha256']), []).append(p)
        elif e['type'] == 'link':
            groups.setdefault(('link', e['target']), []).append(p)
        else:
            continue
        by[p] = e
    # equal contents first, they only compete within their group
    for key in olds:
        if key not in news:
            continue
        names = {}
        for p in reversed(news[key]):
            names.setdefault(last_part(p), []).append(p)
        rest = []
        for p in olds[key]:
            same = names.get(last_part(p))
            if same:
                res[same.pop()] = (p, 100)
            else:
                rest.append(p)
        left = [p for p in news[key] if p not in res]
        for p, q in zip(rest, left):
            res[q] = (p, 100)
        olds[key] = rest[len(left):]
        news[key] = left[len(rest):]
    # the others by common lines
    index = {}
    sizes = {}
    for key, paths in olds.items():
        if key[0] != 'file' or not paths:
            continue
        e = gone[paths[0]]
        if e['size'] > MAX_COMPARE:
            continue
        if not any(k[0] == 'file' and ps and come[ps[0]]['size'] <= MAX_COMPARE for k, ps in news.items()):
            break
        data = old.read(e)
        if data is None:
            continue
        sizes[key] = e['size']
        for line, n in count_lines(data).items():
            index.setdefault(line, []).append((key, n))
    pairs = {}
    for key, paths in news.items():
        if key[0] != 'file' or not paths or not index:
            continue
        e = come[paths[0]]
        b = e['size']
        if b > MAX_COMPARE:
            continue
        data = new.read(e)
        if data is None:
            continue
        common = {}
        for line, n in count_lines(data).items():
            for k, m in index.get(line, ()):
                common[k] = common.get(k, 0) + min(m, n) * line[0]
        for k, c in common.items():
            a = sizes[k]
            if 200 * c < threshold * (a + b):
                continue
            rank = -((2 * c << 64) // (a + b))
            percent = min(99, 200 * c // (a + b))
            pairs.setdefault(rank, {}).setdefault(k, []).append((key, percent))
    # not all pairs of files, there can be thousands of each content: the first partner of each old one that is left
    used = set()
    for rank in sorted(pairs):
        for same in (True, False):
            waiting = {}
            for key in {key for partners in pairs[rank].values() for key, percent in partners}:
                for q in reversed(news[key]):
                    if q not in res:
                        waiting.setdefault((key, last_part(q) if same else None), []).append(q)
            for p, k in sorted((p, k) for k in pairs[rank] for p in olds[k] if p not in used):
                best = None
                for key, percent in pairs[rank][k]:
                    l = waiting.get((key, last_part(p) if same else None))
                    if l and (best is None or l[-1] < best[0][-1]):
                        best = l, percent
                if best is not None:
                    used.add(p)
                    res[best[0].pop()] = (p, best[1])
            for k in pairs[rank]:
                olds[k] = [p for p in olds[k] if p not in used]
            if not waiting:
                break
    return {q: (gone[p], percent) for q, (p, percent) in res.items()}


def what_differs(a, b):
    if a['type'] != b['type']:
        return ['type']
    out = []
    if a['type'] == 'file' and a['sha256'] != b['sha256']:
        out.append('content')
    if a['type'] != 'link' and a['mode'] != b['mode']:
        out.append('mode')
    if a['type'] == 'link' and a['target'] != b['target']:
        out.append('target')
    return out


def diff_path(a, b, p, renames):
    """The line for a path of NEW, None if nothing is different."""
    if a is not None:
        what = what_differs(a, b)
        if not what:
            return None
        return {'change': 'changed', 'path': b['path'], 'type': b['type'], 'what': what}
    if p in renames:
        a, percent = renames[p]
        return {'change': 'renamed', 'path': b['path'], 'type': b['type'], 'from': a['path'],
                'similarity': percent, 'what': what_differs(a, b)}
    return {'change': 'added', 'path': b['path'], 'type': b['type']}


def diff_trees(old, new, threshold):
    renames = find_renames(old, new, threshold) if threshold else {}
    moved = {a['path'] for a, _ in renames.values()}
    for p, a, b in both(old, new):
        if b is not None:
            line = diff_path(a, b, p, renames)
            if line:
                yield line
        elif a['path'] not in moved:
            yield {'change': 'removed', 'path': a['path'], 'type': a['type']}


def base_of(known, at, label):
    have = [s['snapshot'] for s in known if s['label'] == label and s['at'] < at]
    return have[-1] if have else None


def load_side(arc, side):
    if isinstance(side, bytes):
        need_folder(side)
        return Tree(arc, None, side, stat_key(arc))
    return Tree(arc, find_snapshot(arc, side)[1])


def cmd_diff(a, o):
    arc, old, new = a
    open_archive(arc)
    old = load_side(arc, old)
    new = load_side(arc, new)
    emit(diff_trees(old, new, 0 if '--no-renames' in o else o.get('--threshold', 60)))


def cmd_history(a, o):
    arc, ref, path = a
    open_archive(arc)
    if ref[0] != 'latest' and ref[1] is None:
        find_snapshot(arc, ref)
    known = all_snapshots(arc)
    sid = resolve(arc, ref, known)
    by = {s['snapshot']: s for s in known}
    p = dec_path(path)
    new = Tree(arc, load_snapshot(arc, sid))
    b = new.find(p)
    if b is None:
        raise Fail('no_path')
    out = []
    while True:
        base = base_of(known, by[sid]['at'], by[sid]['label'])
        old = Tree(arc, load_snapshot(arc, base) if base else None)
        a = old.find(p)
        renames = {}
        if base and a is None and b['type'] != 'dir':
            renames = find_renames(old, new, o.get('--threshold', 60))
        line = diff_path(a, b, p, renames)
        if line:
            out.append(dict(line, snapshot=sid))
            if line['change'] == 'added':
                break
            if line['change'] == 'renamed':
                p = dec(line['from'])
                a = renames[dec(b['path'])][0]
        sid, new, b = base, old, a
    emit(out)


# ---------------------------------------------------------------- retention

def pin_path(arc, sid):
    return os.path.join(arc, b'pins', sid.encode())


def cmd_pin(a, o, pin=True):
    arc, ref = a
    open_archive(arc)
    sid, _ = find_snapshot(arc, ref)
    path = pin_path(arc, sid)
    changed = os.path.lexists(path) != pin
    if changed and pin:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'wb').close()
    elif changed:
        os.unlink(path)
    emit([{'snapshot': sid, 'pinned': pin, 'changed': changed}])


def cmd_unpin(a, o):
    cmd_pin(a, o, False)


def civil(z):
    """(year, month, day) of a number of days since 1970-01-01, for any year."""
    z += 719468
    era, doe = divmod(z, 146097)
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    m = mp + 3 if mp < 10 else mp - 9
    return yoe + era * 400 + (m <= 2), m, doy - (153 * mp + 2) // 5 + 1


def days_of(y, m, d):
    if m <= 2:
        y -= 1
    era, yoe = divmod(y, 400)
    doy = (153 * (m - 3 if m > 2 else m + 9) + 2) // 5 + d - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def seconds_of(at):
    """Seconds since 1970 of an instant in its UTC form."""
    return days_of(int(at[:4]), int(at[5:7]), int(at[8:10])) * 86400 + \
        int(at[11:13]) * 3600 + int(at[14:16]) * 60 + int(at[17:19])


def parse_offset(t):
    m = re.fullmatch(r'([+-])([0-9]{2}):([0-9]{2})', t)
    if not m or int(m.group(2)) > 23 or int(m.group(3)) > 59:
        raise ValueError
    n = int(m.group(2)) * 3600 + int(m.group(3)) * 60
    return -n if m.group(1) == '-' else n


def parse_zone(z):
    """A list of (from, offset); the first has no from."""
    if isinstance(z, str):
        return [(None, parse_offset(z))]
    if not isinstance(z, list) or not z:
        raise ValueError
    out = []
    for i, x in enumerate(z):
        if not isinstance(x, dict) or set(x) != ({'from', 'offset'} if i else {'offset'}):
            raise ValueError
        start = seconds_of(parse_instant(x['from'])) if i else None
        if i > 1 and start <= out[-1][0]:
            raise ValueError
        out.append((start, parse_offset(x['offset'])))
    return out


def local_of(zone, u):
    return u + zone[bisect.bisect_right(zone, u, 1, key=lambda x: x[0]) - 1][1]


CLOCK = {}


def clock_of(policy, at):
    """(seconds, local day, time of day, year, month), once for all rules."""
    if at not in CLOCK:
        u = seconds_of(at)
        day, time = divmod(local_of(policy['zone'], u), 86400)
        CLOCK[at] = (u, day, time) + civil(day)[:2]
    return CLOCK[at]


def instant_of(zone, local):
    for i, (start, off) in enumerate(zone):
        u = local - off
        if (i == 0 or u >= start) and (i + 1 == len(zone) or u < zone[i + 1][0]):
            return u
        if i + 1 < len(zone):
            t, o = zone[i + 1]
            if t + off <= local < t + o:
                # put forward over it, unless the clock shows it later
                gap = u
                for j in range(i + 1, len(zone)):
                    v = local - zone[j][1]
                    if v >= zone[j][0] and (j + 1 == len(zone) or v < zone[j + 1][0]):
                        return v
                return gap
    return local - zone[-1][1]


DURATION = re.compile(r'P(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?'
                      r'(T(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})S)?)?')


def parse_duration(t):
    m = DURATION.fullmatch(t)
    if not m or t == 'P' or t.endswith('T'):
        raise ValueError
    y, mo, w, d, _, h, mi, s = [int(x) if x and x[0] != 'T' else 0 for x in m.groups()]
    return y * 12 + mo, w * 7 + d, h * 3600 + mi * 60 + s


def before(zone, now, duration):
    months, days, secs = duration
    day, time = divmod(local_of(zone, now), 86400)
    y, m, d = civil(day)
    y, m = divmod(y * 12 + m - 1 - months, 12)
    last = days_of(y + (m == 11), (m + 1) % 12 + 1, 1) - days_of(y, m + 1, 1)
    day = days_of(y, m + 1, min(d, last)) - days
    return instant_of(zone, day * 86400 + time) - secs


DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year']


def whole(n, top=1000000):
    return isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= top


def check_rules(rules):
    if not isinstance(rules, list) or not rules:
        raise ValueError
    for r in rules:
        if not isinstance(r, dict):
            raise ValueError
        keys = set(r)
        if keys == {'last'}:
            ok = whole(r['last'])
        elif keys == {'within'}:
            ok = True
            parse_duration(r['within'])
        elif {'every', 'keep'} <= keys <= {'every', 'keep', 'choose', 'step'}:
            ok = r['every'] in PERIODS and (r['keep'] == 'all' or whole(r['keep']))
            ok = ok and r.get('choose', 'last') in ('first', 'last')
            ok = ok and ('step' not in r or r['every'] == 'hour' and whole(r['step'], 24))
        else:
            ok = False
        if not ok:
            raise ValueError


def read_policy(path):
    try:
        with open(path, 'rb') as f:
            raw = f.read()
    except OSError:
        raise Fail('no_policy')
    try:
        p = load_json(raw.decode('utf-8'))
        if not isinstance(p, dict) or not set(p) <= {'zone', 'week_starts', 'rules', 'labels'}:
            raise ValueError
        p['zone'] = parse_zone(p.get('zone', '+00:00'))
        p['week_starts'] = DAYS.index(p.get('week_starts', 'monday'))
        if 'rules' in p:
            check_rules(p['rules'])
        if 'labels' in p:
            if not isinstance(p['labels'], dict):
                raise ValueError
            for k, v in p['labels'].items():
                if not is_label(k):
                    raise ValueError
                check_rules(v)
        if 'rules' not in p and not p.get('labels'):
            raise ValueError
        return p
    except (ValueError, TypeError):
        raise Fail('bad_policy')


def period_key(policy, rule, at):
    _, day, time, y, m = clock_of(policy, at)
    every = rule['every']
    if every == 'hour':
        return day, time // 3600 // rule.get('step', 1)
    if every == 'day':
        return day
    if every == 'week':
        return (day + 3 - policy['week_starts']) // 7
    if every == 'month':
        return y, m
    if every == 'quarter':
        return y, (m - 1) // 3
    return y


def kept_by(policy, rule, snaps, now):
    """The IDs of the snapshots (in order) that a rule keeps."""
    if 'last' in rule:
        return {s['snapshot'] for s in snaps[-rule['last']:]}
    if 'within' in rule:
        start = before(policy['zone'], seconds_of(now), parse_duration(rule['within']))
        return {s['snapshot'] for s in snaps if clock_of(policy, s['at'])[0] >= start}
    out = set()
    periods = {}
    order = []
    for s in reversed(snaps):
        k = period_key(policy, rule, s['at'])
        if k not in periods:
            order.append(k)
            periods[k] = s['snapshot']
        elif rule.get('choose') == 'first':
            periods[k] = s['snapshot']
    if rule['keep'] != 'all':
        order = order[:rule['keep']]
    for k in order:
        out.add(periods[k])
    return out


def judge(policy, snaps, now, pinned):
    """{ID: reasons} of all snapshots that the policy says something of."""
    groups = {}
    for s in snaps:
        groups.setdefault(s['label'], []).append(s)
    res = {}
    for label, group in groups.items():
        rules = policy.get('labels', {}).get(label, policy.get('rules'))
        if rules is None:
            continue
        plain = []
        for s in group:
            r = res[s['snapshot']] = []
            if s['snapshot'] in pinned:
                r.append('pinned')
            if s['at'] > now:
                r.append('future')
            if not r:
                plain.append(s)
        for i, rule in enumerate(rules):
            ids = kept_by(policy, rule, plain, now)
            for s in plain:
                if s['snapshot'] in ids:
                    res[s['snapshot']].append(i)
        if not any(res[s['snapshot']] for s in group):
            res[group[-1]['snapshot']].append('only')
    return res


def cmd_forget(a, o):
    arc = a[0]
    open_archive(arc)
    policy = read_policy(os.fsencode(o['--policy']))
    snaps = all_snapshots(arc)
    if '--label' in o:
        snaps = [s for s in snaps if s['label'] == o['--label']]
    pinned = {s['snapshot'] for s in snaps if os.path.lexists(pin_path(arc, s['snapshot']))}
    res = judge(policy, snaps, o['--now'], pinned)
    out = []
    for s in snaps:
        if s['snapshot'] not in res:
            continue
        r = res[s['snapshot']]
        out.append({'snapshot': s['snapshot'], 'at': s['at'], 'label': s['label'], 'keep': bool(r), 'reasons': r})
    bad = [x['snapshot'] for x in out if not x['keep']]
    if '--dry-run' not in o:
        for sid in bad:
            os.unlink(os.path.join(arc, b'snapshots', sid.encode()))
    emit(out + [{'kept': len(out) - len(bad), 'forgotten': len(bad)}])


def needs_of(arc, entries, recipes):
    """{object: size} of a snapshot; the recipes are added to the set."""
    out = {}
    for e in entries:
        if e['type'] != 'file':
            continue
        sha, size = e['sha256'], e['size']
        if not is_long(size):
            out.setdefault(sha, size)
            continue
        if not os.path.exists(recipe_path(arc, sha)):
            raise Fail('missing', file=recipe_rel(sha))
        recipes.add(sha)
        try:
            for i, b in enumerate(recipe_lines(arc, sha)):
                out.setdefault(b, max(0, min(BLOCK, size - i * BLOCK)))
        except (OSError, ValueError):
            raise Fail('damaged', file=recipe_rel(sha))
    return out


def all_needs(arc):
    """A list of (summary, needs) in order, and the set of the recipes."""
    recipes = set()
    out = []
    for s in all_snapshots(arc):
        out.append((s, needs_of(arc, entries_of(arc, load_snapshot(arc, s['snapshot'])), recipes)))
    return out, recipes


def listdir(p):
    try:
        return sorted(os.listdir(p))
    except OSError:
        return []


def sweep(arc, kind, needed, remove):
    """(number, bytes) of the files that are not needed."""
    count = size = 0
    top = os.path.join(arc, kind)
    for xx in listdir(top):
        d = os.path.join(top, xx)
        if not re.fullmatch(rb'[0-9a-f]{2}', xx) or not is_dir(lst(d)):
            continue
        for y in listdir(d):
            p = os.path.join(d, y)
            if not re.fullmatch(rb'[0-9a-f]{62}', y) or (xx + y).decode() in needed:
                continue
            st = lst(p)
            if st is None or is_dir(st):
                continue
            count += 1
            size += st.st_size
            if remove:
                os.unlink(p)
        if remove and not os.listdir(d):
            os.rmdir(d)
    return count, size


def cmd_prune(a, o):
    arc = a[0]
    open_archive(arc)
    needs, recipes = all_needs(arc)
    objects = set()
    for _, n in needs:
        objects.update(n)
    remove = '--dry-run' not in o
    count, size = sweep(arc, b'objects', objects, remove)
    rcount, _ = sweep(arc, b'recipes', recipes, remove)
    emit([{'objects': count, 'bytes': size, 'recipes': rcount}])


def cmd_usage(a, o):
    arc = a[0]
    open_archive(arc)
    needs, recipes = all_needs(arc)
    total = {}
    users = {}
    for _, n in needs:
        for k, v in n.items():
            total.setdefault(k, v)
            users[k] = users.get(k, 0) + 1
    out = []
    for s, n in needs:
        out.append({'snapshot': s['snapshot'], 'at': s['at'], 'label': s['label'], 'bytes': s['bytes'],
                    'stored': sum(n.values()), 'alone': sum(v for k, v in n.items() if users[k] == 1)})
    out.append({'snapshots': len(needs), 'objects': len(total), 'stored': sum(total.values()),
                'unused': sweep(arc, b'objects', total, False)[1]})
    emit(out)


# ---------------------------------------------------------------- command line

FLAGS = ('--changes', '--no-renames', '--dry-run')


def parse_number(t, top):
    if not re.fullmatch(r'[1-9][0-9]{0,18}', t) or int(t) > top:
        raise ValueError
    return int(t)


COMMANDS = {
    # command: (function, kinds of the arguments, options)
    'scan': (cmd_scan, 'F', ()),
    'build': (cmd_build, 'FF', ()),
    'init': (cmd_init, 'F', ('--block',)),
    'save': (cmd_save, 'FF', ('--at', '--label', '--changes')),
    'diff': (cmd_diff, 'FDD', ('--threshold', '--no-renames')),
    'pin': (cmd_pin, 'FS', ()),
    'unpin': (cmd_unpin, 'FS', ()),
    'forget': (cmd_forget, 'F', ('--policy', '--now', '--label', '--dry-run')),
    'prune': (cmd_prune, 'F', ('--dry-run',)),
    'usage': (cmd_usage, 'F', ()),
    'history': (cmd_history, 'FSP', ('--threshold',)),
    'list': (cmd_list, 'F', ('--label',)),
    'show': (cmd_show, 'FS', ()),
    'cat': (cmd_cat, 'FSP', ()),
    'restore': (cmd_restore, 'FSF', ()),
}


def main(argv):
    if not argv or argv[0] not in COMMANDS:
        raise Fail('usage')
    func, kinds, allowed = COMMANDS[argv[0]]
    pos = []
    opts = {}
    i = 1
    while i < len(argv):
        x = argv[i]
        if x.startswith('--'):
            if x not in allowed or x in opts:
                raise Fail('usage')
            if x in FLAGS:
                opts[x] = True
            else:
                if i + 1 >= len(argv):
                    raise Fail('usage')
                opts[x] = argv[i + 1]
                i += 1
        else:
            pos.append(os.fsencode(x))
        i += 1
    if len(pos) != len(kinds):
        raise Fail('usage')
    try:
        if '--at' in allowed:
            opts['--at'] = parse_instant(opts['--at'])
        if '--now' in allowed:
            opts['--now'] = parse_instant(opts['--now'])
            opts['--policy']
        if '--label' in opts and not is_label(opts['--label']):
            raise ValueError
        if '--block' in opts:
            opts['--block'] = parse_number(opts['--block'], MAX_BLOCK)
        if '--threshold' in opts:
            opts['--threshold'] = parse_number(opts['--threshold'], 100)
            if '--no-renames' in opts:
                raise ValueError
        for i, k in enumerate(kinds):
            if k == 'D':
                pos[i] = pos[i][7:] if pos[i].startswith(b'folder:') else parse_ref(pos[i])
            if k == 'S':
                pos[i] = parse_ref(pos[i])
            elif k == 'P':
                pos[i] = pos[i].decode('utf-8')
                dec_path(pos[i])
    except (ValueError, KeyError):
        raise Fail('usage')
    func(pos, opts)


if __name__ == '__main__':
    sys.setrecursionlimit(10000)  # folders are removed by recursion
    try:
        main(sys.argv[1:])
    except Fail as e:
        sys.stderr.write(json.dumps(dict({'error': e.code}, **e.more)) + '\n')
        sys.exit(2 if e.code == 'usage' else 1)
    except OSError as e:
        sys.stderr.write(json.dumps({'error': 'io', 'message': str(e)}) + '\n')
        sys.exit(1)
