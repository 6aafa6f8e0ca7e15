#!/usr/bin/env python3
"""Snapshots of a tree: everything in one file."""
import base64
import bisect
import hashlib
import io
import json
import os
import re
import shutil
import signal
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


class Interrupted(BaseException):
    pass


SIGNALS = (signal.SIGTERM, signal.SIGINT)


def ignore_signals():
    for x in SIGNALS:
        signal.signal(x, signal.SIG_IGN)


def on_signal(sig, frame):
    ignore_signals()
    raise Interrupted


def pause(o, point):
    if o.get('--pause') == point:
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        emit([{'paused': point}])
        signal.sigwait(SIGNALS)
        ignore_signals()
        raise Interrupted


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

def read_format(arc):
    """The length of blocks, None for whole contents."""
    try:
        with open(os.path.join(arc, b'format'), 'rb') as f:
            text = f.read(100)
    except OSError:
        raise Fail('no_archive')
    if text == FORMAT:
        return None
    m = re.fullmatch(rb'snapshot-archive 2\nblock ([1-9][0-9]{0,9})\n', text)
    if not m or int(m.group(1)) > MAX_BLOCK:
        raise Fail('no_archive')
    return int(m.group(1))


def open_archive(arc):
    global BLOCK
    BLOCK = read_format(arc)
    path = os.path.join(arc, b'forgetting')
    if not os.path.lexists(path):
        return
    try:
        with open(path, 'rb') as f:
            raw = f.read()
    except OSError:
        raw = b''
    if not re.fullmatch(rb'(?:[0-9a-f]{64}\n)+', raw):
        raise Fail('damaged', file='forgetting')
    finish_forgetting(arc, raw.decode().split())


def open_any(arc):
    """As open_archive, but also volumes; gives what the reading functions take."""
    global BLOCK
    if not arc.startswith(b'volumes:'):
        open_archive(arc)
        return arc
    v = Volumes(arc[8:].split(b':'))
    v.read_index()
    BLOCK = v.block
    return v


def finish_forgetting(arc, ids, after=None):
    remove_parity(arc)
    for sid in ids:
        path = os.path.join(arc, b'snapshots', sid.encode())
        if os.path.lexists(path):
            os.unlink(path)
            if after:
                after()
                after = None
    os.unlink(os.path.join(arc, b'forgetting'))


PARITY = re.compile(rb'parity/(?!000000)[0-9]{6}')
MEMBER = re.compile(rb'(?:objects|recipes)/[0-9a-f]{2}/[0-9a-f]{62}|snapshots/[0-9a-f]{64}')


def remove_parity(arc):
    d = os.path.join(arc, b'parity')
    if not is_dir(lst(d)):
        return
    for n in listdir(d):
        if PARITY.fullmatch(b'parity/' + n) and not is_dir(lst(os.path.join(d, n))):
            os.unlink(os.path.join(d, n))
    if not os.listdir(d):
        os.rmdir(d)


def empty_tmp(arc):
    remove_tree(os.path.join(arc, b'tmp'))


def fresh_tmp(arc):
    empty_tmp(arc)
    tmp = os.path.join(arc, b'tmp')
    os.mkdir(tmp)
    return tmp


def fill_archive(arc, block):
    with open(os.path.join(arc, b'format'), 'wb') as f:
        f.write(FORMAT if block is None else b'snapshot-archive 2\nblock %d\n' % block)
    for n in (b'objects', b'snapshots') + (() if block is None else (b'recipes',)):
        os.mkdir(os.path.join(arc, n))


def cmd_init(a, o):
    make_archive(a[0], o.get('--block', 65536))


def make_archive(arc, block):
    try:
        if not arc:
            raise NotADirectoryError
        if os.path.lexists(arc):
            if os.listdir(arc):
                raise Fail('not_empty')
            fill_archive(arc, block)
            return
        arc = arc.rstrip(b'/')
        make_folders(os.path.dirname(arc) or b'.')
    except OSError:
        raise Fail('not_empty')
    new = arc + b'.init-%d' % os.getpid()
    try:
        os.mkdir(new)
        fill_archive(new, block)
        os.chmod(new, 0o755)
        os.rename(new, arc)
    except BaseException:
        remove_tree(new)
        raise


def object_rel(sha):
    return 'objects/%s/%s' % (sha[:2], sha[2:])


def object_path(arc, sha):
    return os.path.join(arc, object_rel(sha).encode())


def recipe_rel(sha):
    return 'recipes/%s/%s' % (sha[:2], sha[2:])


def recipe_path(arc, sha):
    return os.path.join(arc, recipe_rel(sha).encode())


def is_long(size, arc=None):
    block = arc.block if isinstance(arc, Volumes) else BLOCK
    return block is not None and size > block


def member_open(arc, rel):
    if isinstance(arc, Volumes):
        return arc.open(rel)
    return open(os.path.join(arc, rel.encode()), 'rb')


def member_there(arc, rel):
    if isinstance(arc, Volumes):
        return rel in arc.where
    return os.path.isfile(os.path.join(arc, rel.encode()))


def recipe_lines(arc, sha):
    """The names of the blocks; ValueError if it is malformed (told at once, before the first name)."""
    with member_open(arc, recipe_rel(sha)) as f:
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
    names = recipe_lines(arc, sha) if is_long(size, arc) else [sha]
    for n in names:
        if (arc, n) in SMALL:
            yield SMALL[arc, n]
            continue
        with member_open(arc, object_rel(n)) as f:
            while True:
                b = f.read(CHUNK)
                if not b:
                    break
                yield b


def snapshot_ids(arc):
    if isinstance(arc, Volumes):
        return sorted(x[10:] for x in arc.where if x.startswith('snapshots/'))
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
    return member_open(arc, 'snapshots/' + sid)


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
    if not member_there(arc, object_rel(sha)):
        raise Fail('missing', file=object_rel(sha))
    h = hashlib.sha256()
    start = b''
    try:
        with member_open(arc, object_rel(sha)) as f:
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
    if is_long(size, arc):
        check_recipe(arc, sha)
    else:
        check_object(arc, sha)


def check_recipe(arc, sha):
    if not member_there(arc, recipe_rel(sha)):
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


def store(arc, f, added, there):
    """Cuts what f reads into objects; (size, digest) of it."""
    new_file = os.path.join(arc, b'tmp', b'object')
    new_recipe = os.path.join(arc, b'tmp', b'recipe')

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

    whole = hashlib.sha256()
    size = 0
    blocks = 0
    with open(new_recipe, 'wb') as r:
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
    added = [0, 0]
    new_file = os.path.join(arc, b'tmp', b'snapshot')
    there = set()

    def content(full):
        size, sha = hash_file(full)
        if content_there(arc, sha, size):
            return size, sha
        with open(full, 'rb') as f:
            return store(arc, f, added, there)

    base = None
    if '--changes' in o:
        base = base_of(all_snapshots(arc), o['--at'], o.get('--label'))
        old = Tree(arc, load_snapshot(arc, base) if base else None)
    new_snapshot = new_file + b'-s'
    try:
        fresh_tmp(arc)
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
        pause(o, 'stored')
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
        empty_tmp(arc)


def cmd_list(a, o):
    a = [open_any(a[0])]
    label = o.get('--label')
    emit([s for s in all_snapshots(a[0]) if label is None or s['label'] == label])


def cmd_show(a, o):
    arc, ref = a
    arc = open_any(arc)
    s = find_snapshot(arc, ref)[1]
    emit(plain(e) for e in entries_of(arc, s))


def cmd_cat(a, o):
    arc, ref, path = a
    arc = open_any(arc)
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


def restore_entries(arc, entries, target, o, count):
    i = 0
    for e in entries():
        if i == count // 2:
            pause(o, 'half')
        i += 1
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
    if not count:
        pause(o, 'half')
    around = []
    for e in entries():
        if e['type'] == 'dir':
            while around and not e['path'].startswith(around[-1]['path']):
                x = around.pop()
                os.chmod(os.path.join(target, dec_path(x['path'])), int(x['mode'], 8))
            around.append(e)
    for e in reversed(around):
        os.chmod(os.path.join(target, dec_path(e['path'])), int(e['mode'], 8))


def pattern_tokens(text):
    t = dec_path(text).decode('utf-8', 'surrogateescape')
    out = {'end': 0, 'chars': {}, 'any': 0, 'star': 0, 'stars': 0, 'seen': {}}
    for x in re.findall(r'\*+|.', t, re.S):
        bit = 1 << out['end']
        if x[0] == '*':
            out['stars' if len(x) > 1 else 'star'] |= bit
        elif x == '?':
            out['any'] |= bit
        else:
            out['chars'][x] = out['chars'].get(x, 0) | bit
        out['end'] += 1
    out['seen'][''] = 1 | (out['star'] | out['stars']) << 1 & 2
    return out


def matches(tokens, path):
    """Whether the path or a folder around it matches; the states (bits) at the end of each folder are kept."""
    seen = tokens['seen']
    stars = tokens['stars']
    skip = stars | tokens['star']
    todo = []
    while path not in seen:
        todo.append(path)
        path = path.rpartition('/')[0]
    states = seen[path]
    for p in reversed(todo):
        if path and states >> tokens['end'] & 1:
            return True
        for c in p[len(path):] if states else '':
            step = tokens['chars'].get(c, 0)
            stay = stars
            if c != '/':
                step |= tokens['any']
                stay = skip
            states = states & stay | (states & step) << 1
            states |= (states & skip) << 1
            if not states:
                break
        path = p
        seen[p] = states
    return bool(states >> tokens['end'] & 1)


def selected(p, o):
    t = p.decode('utf-8', 'surrogateescape')
    # what no path can be in any more is forgotten
    for x in o.get('--only', []) + o.get('--except', []):
        if len(x['seen']) > x.setdefault('limit', 300):
            for k in [k for k in x['seen'] if not t.startswith(k)]:
                del x['seen'][k]
            x['limit'] = 300 + 2 * len(x['seen'])
    if '--only' in o and not any([matches(x, t) for x in o['--only']]):
        return False
    return not any([matches(x, t) for x in o.get('--except', ())])


def part_of(arc, s, o):
    """A function that gives the entries selected and all folders around them, and the number and size of these."""
    chosen = bytearray()
    around = []
    for e in entries_of(arc, s):
        p = dec_path(e['path'])
        while around and not p.startswith(around[-1][0]):
            around.pop()
        chosen.append(selected(p, o))
        if chosen[-1]:
            for x, i in reversed(around):
                if p[len(x):len(x) + 1] == b'/':
                    if chosen[i] == 2:
                        break
                    chosen[i] = 2
        if e['type'] == 'dir':
            around.append((p, len(chosen) - 1))

    def entries():
        first = {}
        for i, e in enumerate(entries_of(arc, s)):
            if not chosen[i]:
                continue
            if e['type'] == 'file' and e['path'] in s['targets']:
                first[e['path']] = e['path']
            elif e['type'] == 'hard':
                t = e['target']
                if t in first:
                    e = dict(e, target=first[t])
                else:
                    first[t] = e['path']
                    e = e['as']
            yield e

    count = size = 0
    for e in entries():
        count += 1
        if e['type'] == 'file':
            size += e['size']
    return entries, count, size


def cmd_restore(a, o):
    arc, ref, target = a
    arc = open_any(arc)
    sid, s = find_snapshot(arc, ref)
    target = target.rstrip(b'/') or target[:1]
    if not target:
        raise Fail('target_exists')
    mode = 0o755
    try:
        st = os.lstat(target)
        if not stat.S_ISDIR(st.st_mode) or os.listdir(target):
            raise Fail('target_exists')
        mode = stat.S_IMODE(st.st_mode)
    except FileNotFoundError:
        pass
    except OSError:
        raise Fail('target_exists')
    if os.path.basename(target) in (b'.', b'..'):
        target = os.path.realpath(target)
    entries, count, size = lambda: entries_of(arc, s), s['entries'], s['bytes']
    if '--only' in o or '--except' in o:
        entries, count, size = part_of(arc, s, o)
        if not count:
            raise Fail('nothing_selected')
    partial = target + b'.partial'
    made = []
    try:
        done = set()
        for e in entries():
            if e['type'] == 'file' and e['sha256'] not in done:
                check_content(arc, e['sha256'], e['size'])
                done.add(e['sha256'])
        try:
            make_folders(os.path.dirname(target) or b'.', made)
        except NotADirectoryError:
            raise Fail('target_exists')
        remove_tree(partial)
        os.mkdir(partial, 0o700)
        restore_entries(arc, entries, partial, o, count)
        os.chmod(partial, mode)
        os.rename(partial, target)
    except BaseException:
        remove_tree(partial)
        for p in reversed(made):
            os.rmdir(p)
        raise
    emit([{'snapshot': sid, 'entries': count, 'bytes': size}])


# ---------------------------------------------------------------- comparing

class Tree:
    """Entries by the bytes of their paths, hard links as files; knows how to read contents."""

    def __init__(self, arc, snapshot=None, folder=None, skip=None):
        self.arc = arc
        self.snapshot = snapshot
        self.folder = folder
        self.skip = skip
        self.part = None

    def entries(self):
        """(path, entry) in order, anew each time."""
        # two trees are read side by side: each needs patterns of its own
        o = None
        if self.part is not None:
            o = {k: [dict(x, seen={'': x['seen']['']}) for x in self.part[k]] for k in ('--only', '--except')
                 if k in self.part}
        for p, e in self.all_entries():
            if o is None or selected(p, o):
                yield p, e

    def all_entries(self):
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
        return Tree(arc, None, side, None if isinstance(arc, Volumes) else stat_key(arc))
    return Tree(arc, find_snapshot(arc, side)[1])


def cmd_diff(a, o):
    arc, old, new = a
    arc = open_any(arc)
    old = load_side(arc, old)
    new = load_side(arc, new)
    for tree in (old, new):
        tree.part = o if '--only' in o or '--except' in o else None
    emit(diff_trees(old, new, 0 if '--no-renames' in o else o.get('--threshold', 60)))


def cmd_history(a, o):
    arc, ref, path = a
    arc = open_any(arc)
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
    if pin:
        empty_tmp(arc)
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
    if '--dry-run' not in o and bad:
        tmp = fresh_tmp(arc)
        with open(os.path.join(tmp, b'forgetting'), 'wb') as f:
            f.write(''.join(x + '\n' for x in bad).encode())
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        os.rename(os.path.join(tmp, b'forgetting'), os.path.join(arc, b'forgetting'))
        empty_tmp(arc)
        stopped = []

        def at(point):
            try:
                pause(o, point)
            except Interrupted:
                stopped.append(point)

        at('recorded')
        finish_forgetting(arc, bad, lambda: at('removed'))
        if stopped:
            raise Interrupted
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
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


def not_needed(arc, kind, needed):
    """(path, size) of the files that are not needed, in order."""
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
            if st is not None and not is_dir(st):
                yield p, st.st_size


def cmd_prune(a, o):
    arc = a[0]
    open_archive(arc)
    needs, recipes = all_needs(arc)
    objects = set()
    for _, n in needs:
        objects.update(n)
    bad_recipes = list(not_needed(arc, b'recipes', recipes))
    bad_objects = list(not_needed(arc, b'objects', objects))
    if '--dry-run' not in o:
        if bad_recipes or bad_objects:
            remove_parity(arc)
        for i, (p, _) in enumerate(bad_recipes + bad_objects):
            os.unlink(p)
            if i == 0:
                pause(o, 'removed')
        for kind in (b'recipes', b'objects'):
            for xx in listdir(os.path.join(arc, kind)):
                d = os.path.join(arc, kind, xx)
                if re.fullmatch(rb'[0-9a-f]{2}', xx) and is_dir(lst(d)) and not os.listdir(d):
                    os.rmdir(d)
    emit([{'objects': len(bad_objects), 'bytes': sum(x[1] for x in bad_objects), 'recipes': len(bad_recipes)}])


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
                'unused': sum(x[1] for x in not_needed(arc, b'objects', total))})
    emit(out)


# ---------------------------------------------------------------- checking

class Parity:
    """A parity file: header (None if it is not intact), ok (the parity is intact too)."""

    def __init__(self, path):
        self.path = path
        self.header = None
        self.ok = False
        try:
            with open(path, 'rb') as f:
                first = f.readline(66)
                second = f.readline(1 << 23)
                if not re.fullmatch(rb'[0-9a-f]{64}\n', first) or not second.endswith(b'\n') \
                        or hashlib.sha256(second).hexdigest().encode() != first[:64]:
                    return
                h = load_json(second.decode('utf-8'))
                if canonical(h) + b'\n' != second or set(h) != {'members', 'sha256'} or not is_sha(h['sha256']):
                    return
                for m in h['members']:
                    if set(m) != {'file', 'sha256', 'size'} or not MEMBER.fullmatch(m['file'].encode()) \
                            or not is_sha(m['sha256']) or not is_size(m['size']):
                        return
                self.header = h
                self.start = f.tell()
                self.length = 0
                d = hashlib.sha256()
                while True:
                    b = f.read(CHUNK)
                    if not b:
                        break
                    d.update(b)
                    self.length += len(b)
                self.ok = d.hexdigest() == h['sha256']
        except (OSError, ValueError, TypeError, AttributeError):
            return

    def names(self):
        return [m['file'].encode() for m in self.header['members']]


def xor(parts, length):
    """The exclusive or of parts of files (path, start, size)."""
    for off in range(0, length, CHUNK):
        n = min(CHUNK, length - off)
        acc = 0
        for path, start, size in parts:
            if size > off:
                with open(path, 'rb') as f:
                    f.seek(start + off)
                    acc ^= int.from_bytes(f.read(min(n, size - off)), 'little')
        yield acc.to_bytes(n, 'little')


def sha_of(rel):
    return rel.split(b'/', 1)[1].replace(b'/', b'').decode()


class State:
    """What is there and what is wrong; remembers what has been read until touch()."""

    def __init__(self, arc):
        self.arc = arc
        self.known = {}
        self.recipes = {}
        self.parities = {}
        self.analyse()

    def touch(self, rel):
        self.known.pop(rel, None)
        self.recipes.pop(rel, None)
        self.parities.pop(rel, None)

    def object_ok(self, rel):
        if rel not in self.present:
            return False
        if rel not in self.known:
            try:
                check_object(self.arc, sha_of(rel))
                self.known[rel] = True
            except Fail:
                self.known[rel] = False
        return self.known[rel]

    def snapshot(self, rel):
        """(files, long files) of the snapshot, None if it is damaged."""
        if rel not in self.known:
            try:
                s = load_snapshot(self.arc, sha_of(rel))
                self.known[rel] = {(e['sha256'], is_long(e['size'])) for e in entries_of(self.arc, s) if e['type'] == 'file'}
            except Fail:
                self.known[rel] = None
        return self.known[rel]

    def recipe_ok(self, rel, named):
        sha = sha_of(rel)
        if rel not in self.known:
            try:
                for _ in recipe_lines(self.arc, sha):
                    break
                self.known[rel] = hash_file(os.path.join(self.arc, rel))
            except (OSError, ValueError):
                self.known[rel] = None
        got = self.known[rel]
        if got is None:
            return False
        for size, digest in named.get(rel, ()):
            if got != (size, digest):
                return False
        if rel in self.recipes:
            return self.recipes[rel]
        for b in recipe_lines(self.arc, sha):
            if not self.object_ok(object_rel(b).encode()):
                return True
        try:
            check_recipe(self.arc, sha)
            self.recipes[rel] = True
        except Fail:
            self.recipes[rel] = False
        return self.recipes[rel]

    def analyse(self):
        arc = self.arc
        self.present = set()
        self.findings = findings = {}
        parity = []
        others = []
        for rel, st in walk(arc):
            if stat.S_ISDIR(st.st_mode):
                continue
            if MEMBER.fullmatch(rel) and stat.S_ISREG(st.st_mode):
                self.present.add(rel)
            elif PARITY.fullmatch(rel):
                parity.append(rel)
            elif rel.startswith(b'tmp/'):
                others.append((rel, 'leftover'))
            elif rel != b'format' and not re.fullmatch(rb'pins/[0-9a-f]{64}', rel):
                others.append((rel, 'foreign'))
        self.parity = {}
        named = {}
        for rel in parity:
            if rel not in self.parities:
                self.parities[rel] = Parity(os.path.join(arc, rel))
            p = self.parity[rel] = self.parities[rel]
            if p.header is not None:
                for m in p.header['members']:
                    named.setdefault(m['file'].encode(), []).append((m['size'], m['sha256']))
            if not p.ok:
                findings[rel] = {'finding': 'damaged'}
        self.bad = bad = set()
        for rel in self.present:
            if rel.startswith(b'objects/'):
                ok = self.object_ok(rel)
            elif rel.startswith(b'recipes/'):
                ok = self.recipe_ok(rel, named)
            else:
                ok = self.snapshot(rel) is not None
            if not ok:
                bad.add(rel)
        users = {}
        for rel in self.present:
            if not rel.startswith(b'snapshots/') or rel in bad:
                continue
            need = set()
            for sha, long in self.snapshot(rel):
                if not long:
                    need.add(object_rel(sha).encode())
                    continue
                r = recipe_rel(sha).encode()
                need.add(r)
                if r in self.present and r not in bad:
                    for b in recipe_lines(arc, sha):
                        need.add(object_rel(b).encode())
            for n in need:
                users[n] = users.get(n, 0) + 1
        for rel in bad:
            findings[rel] = {'finding': 'damaged'}
        for rel in set(users) | set(named):
            if rel not in self.present:
                findings[rel] = {'finding': 'missing'}
        unsure = False
        for rel, f in findings.items():
            if rel.startswith(b'snapshots/'):
                unsure = True
            elif not rel.startswith(b'parity/'):
                f['snapshots'] = users.get(rel, 0)
                if rel.startswith(b'recipes/') and rel in users:
                    unsure = True
        headers = any(p.header is not None for p in self.parity.values())
        for rel in self.present:
            if rel in findings:
                continue
            if not unsure and rel not in users and not rel.startswith(b'snapshots/'):
                findings[rel] = {'finding': 'unused'}
            elif headers and rel not in named:
                findings[rel] = {'finding': 'unprotected'}
        for rel, what in others:
            findings[rel] = {'finding': what}

    def lines(self):
        return [(rel, dict({'file': enc(rel)}, **self.findings[rel])) for rel in sorted(self.findings)]

    def defects(self):
        return [(rel, x) for rel, x in self.lines() if x['finding'] in ('damaged', 'missing')]

    def fine(self, rel):
        return rel in self.present and rel not in self.bad


def cmd_check(a, o):
    arc = a[0]
    open_archive(arc)
    st = State(arc)
    lines = [x for _, x in st.lines()]
    n = len(st.defects())
    emit(lines + [{'files': len(st.present), 'defects': n, 'remarks': len(lines) - n}])
    return 3 if n else 0


def exchange(a, b):
    """Swaps two folders at once, False if that cannot be done."""
    try:
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        return libc.renameat2(-100, ctypes.c_char_p(a), -100, ctypes.c_char_p(b), 2) == 0
    except (OSError, AttributeError, ImportError):
        return False


def cmd_protect(a, o):
    arc = a[0]
    open_archive(arc)
    st = State(arc)
    for rel, x in st.defects():
        if not rel.startswith(b'parity/'):
            raise Fail(x['finding'], file=x['file'])
    members = sorted(st.present)
    groups = [members[i:i + o['--group']] for i in range(0, len(members), o['--group'])]
    tmp = fresh_tmp(arc)
    try:
        new = os.path.join(tmp, b'parity')
        body = os.path.join(tmp, b'body')
        os.mkdir(new)
        for n, group in enumerate(groups, 1):
            head = []
            parts = []
            for rel in group:
                path = os.path.join(arc, rel)
                size, sha = hash_file(path) if rel.startswith(b'recipes/') else (os.path.getsize(path), sha_of(rel))
                head.append({'file': rel.decode(), 'sha256': sha, 'size': size})
                parts.append((path, 0, size))
            h = hashlib.sha256()
            with open(body, 'wb') as f:
                for b in xor(parts, max(p[2] for p in parts)):
                    h.update(b)
                    f.write(b)
            second = canonical({'members': head, 'sha256': h.hexdigest()}) + b'\n'
            with open(os.path.join(new, b'%06d' % n), 'wb') as f, open(body, 'rb') as g:
                f.write(hashlib.sha256(second).hexdigest().encode() + b'\n' + second)
                shutil.copyfileobj(g, f, CHUNK)
        dest = os.path.join(arc, b'parity')
        foreign = [x for x in listdir(dest) if not PARITY.fullmatch(b'parity/' + x)]
        if not groups:
            remove_parity(arc)
        elif not os.path.lexists(dest):
            os.rename(new, dest)
        elif foreign or not exchange(new, dest):
            remove_parity(arc)
            os.makedirs(dest, exist_ok=True)
            for x in listdir(new):
                os.rename(os.path.join(new, x), os.path.join(dest, x))
    finally:
        empty_tmp(arc)
    emit([{'files': len(members), 'groups': len(groups)}])


class OtherArchive:
    def __init__(self, path):
        if path.startswith(b'volumes:'):
            self.path = Volumes(path[8:].split(b':'))
            self.path.read_index()
            self.block = self.path.block
        else:
            self.path = path
            self.block = read_format(path)

    def give(self, rel):
        """The content of a member in pieces; raises what it likes if it has none."""
        sha = sha_of(rel)
        if rel.startswith(b'objects/'):
            check_object(self.path, sha)
        elif rel.startswith(b'snapshots/'):
            load_snapshot(self.path, sha)
        else:
            if self.block != BLOCK:
                raise ValueError
            check_recipe(self.path, sha)
        with member_open(self.path, rel.decode()) as f:
            while True:
                b = f.read(CHUNK)
                if not b:
                    return
                yield b


class OtherTree:
    def __init__(self, path, arc):
        need_folder(path)
        self.path = path
        self.arc = arc
        self.index = None

    def blocks(self, path):
        """(start, length, digest) of the blocks, at last (None, size, digest of the whole)."""
        whole = hashlib.sha256()
        start = 0
        with open(path, 'rb') as f:
            while True:
                h = hashlib.sha256()
                n = 0
                while BLOCK is None or n < BLOCK:
                    b = f.read(CHUNK if BLOCK is None else min(CHUNK, BLOCK - n))
                    if not b:
                        break
                    h.update(b)
                    whole.update(b)
                    n += len(b)
                if n or not start:
                    yield start, n, h.hexdigest()
                start += n
                if not n or BLOCK is None or n < BLOCK:
                    break
        yield None, start, whole.hexdigest()

    def read_all(self):
        self.index = {}
        for p, st in walk(self.path, stat_key(self.arc)):
            if not stat.S_ISREG(st.st_mode):
                continue
            full = os.path.join(self.path, p)
            try:
                for start, n, sha in self.blocks(full):
                    if start is not None:
                        self.index.setdefault(object_rel(sha).encode(), (full, start, n))
                    elif is_long(n):
                        self.index.setdefault(recipe_rel(sha).encode(), (full, 0, n))
            except OSError:
                continue

    def give(self, rel):
        if self.index is None:
            self.read_all()
        full, start, n = self.index[rel]
        if rel.startswith(b'recipes/'):
            for start, n, sha in self.blocks(full):
                if start is not None:
                    yield sha.encode() + b'\n'
                elif sha != sha_of(rel):
                    raise ValueError
            return
        with open(full, 'rb') as f:
            f.seek(start)
            while n:
                b = f.read(min(n, CHUNK))
                if not b:
                    raise ValueError
                n -= len(b)
                yield b


def from_parity(st, rel, p):
    if not p.ok or rel not in p.names():
        raise ValueError
    parts = [(p.path, p.start, p.length)]
    size = 0
    for m in p.header['members']:
        name = m['file'].encode()
        if name == rel:
            size = m['size']
        elif not st.fine(name):
            raise ValueError
        else:
            parts.append((os.path.join(st.arc, name), 0, m['size']))
    return xor(parts, size)


def write_member(arc, rel, pieces, digest=None):
    """True if it has been written; whatever does not fit is not."""
    tmp = os.path.join(arc, b'tmp', b'member')
    if digest is None and not rel.startswith(b'recipes/'):
        digest = sha_of(rel)
    try:
        h = hashlib.sha256()
        with open(tmp, 'wb') as f:
            for b in pieces():
                h.update(b)
                f.write(b)
        if digest is not None and h.hexdigest() != digest:
            return False
        if rel.startswith(b'snapshots/'):
            s = {}
            with open(tmp, 'rb') as f:
                for _ in read_snapshot(f, s):
                    pass
            s['open'] = tmp
            for _ in entries_of(arc, s):
                pass
        dest = os.path.join(arc, rel)
        os.makedirs(os.path.dirname(dest), exist_ok=True)
        os.rename(tmp, dest)
        return True
    except (OSError, ValueError, TypeError, KeyError, Fail):
        return False


def rewrite_parity(arc, st, rel, p):
    if p.header is None or p.ok or not all(st.fine(n) for n in p.names()):
        return False
    ms = p.header['members']
    parts = [(os.path.join(arc, m['file'].encode()), 0, m['size']) for m in ms]
    length = max([m['size'] for m in ms] + [0])
    h = hashlib.sha256()
    for b in xor(parts, length):
        h.update(b)
    if h.hexdigest() != p.header['sha256']:
        return False
    second = canonical(p.header) + b'\n'
    tmp = os.path.join(arc, b'tmp', b'parity')
    with open(tmp, 'wb') as f:
        f.write(hashlib.sha256(second).hexdigest().encode() + b'\n' + second)
        for b in xor(parts, length):
            f.write(b)
    os.rename(tmp, os.path.join(arc, rel))
    return True


def cmd_repair(a, o):
    arc = a[0]
    open_archive(arc)
    sources = []
    for kind, path in o.get('sources', []):
        sources.append(OtherArchive(path) if kind == '--from' else OtherTree(path, arc))
    fresh_tmp(arc)
    done = {}
    tried = set()
    try:
        st = State(arc)
        more = True
        while more:
            more = False
            for rel, x in st.defects():
                if rel.startswith(b'parity/'):
                    continue
                written = None
                for i, src in enumerate(sources):
                    if (rel, i) in tried:
                        continue
                    tried.add((rel, i))
                    if write_member(arc, rel, lambda: src.give(rel)):
                        written = {'repaired': 'source', 'source': i}
                        break
                if written is None:
                    for name in sorted(st.parity):
                        p = st.parity[name]
                        if not p.ok or (rel, name) in tried:
                            continue
                        ms = [m for m in p.header['members'] if m['file'].encode() == rel]
                        if not ms or not all(st.fine(n) for n in p.names() if n != rel):
                            continue
                        tried.add((rel, name))
                        if not rel.startswith(b'recipes/') and ms[0]['sha256'] != sha_of(rel):
                            continue
                        if write_member(arc, rel, lambda: from_parity(st, rel, p), ms[0]['sha256']):
                            written = {'repaired': 'parity'}
                            break
                if written is not None:
                    done[rel] = written
                    st.touch(rel)
                    more = True
            if more:
                st.analyse()
        for rel in sorted(st.parity):
            if rewrite_parity(arc, st, rel, st.parity[rel]):
                done[rel] = {'repaired': 'members'}
                st.touch(rel)
    finally:
        empty_tmp(arc)
    st.analyse()
    stay = dict(st.defects())
    out = []
    for rel in sorted(set(done) | set(stay)):
        if rel in stay:
            out.append(stay[rel])
        else:
            out.append(dict({'file': enc(rel)}, **done[rel]))
    n = len([rel for rel in done if rel not in stay])
    emit(out + [{'repaired': n, 'defects': len(stay)}])
    return 3 if stay else 0


# ---------------------------------------------------------------- volumes

HEADER_KEYS = {'capacity', 'data', 'spares', 'index', 'stream', 'set', 'kind', 'number'}


def part_length(h, kind, number):
    if kind == 'data':
        return min(h['capacity'], h['stream'] - h['capacity'] * (number - 1))
    # the first of its data volumes is the longest
    return part_length(h, 'data', number)


def read_volume(path):
    """The header of an intact volume, otherwise ValueError or OSError."""
    st = os.lstat(path)
    if not stat.S_ISREG(st.st_mode) or st.st_size < 322:
        raise ValueError
    with open(path, 'rb') as f:
        first = f.read(256)
        if first[-1:] != b'\n':
            raise ValueError
        text = first[:255].rstrip(b' ')
        h = load_json(text.decode('utf-8'))
        if not isinstance(h, dict) or set(h) != HEADER_KEYS or canonical(h) != text or not is_sha(h['set']):
            raise ValueError
        for k in ('capacity', 'data', 'spares', 'index', 'stream', 'number'):
            if not is_size(h[k]):
                raise ValueError
        if h['kind'] not in ('data', 'spare') or not 1 <= h['capacity'] or not 1 <= h['index'] <= h['stream'] \
                or h['data'] != -(-h['stream'] // h['capacity']) or h['spares'] > min(99, h['data']) \
                or not 1 <= h['number'] <= (h['data'] if h['kind'] == 'data' else h['spares']):
            raise ValueError
        left = part_length(h, h['kind'], h['number'])
        if st.st_size != 256 + left + 65:
            raise ValueError
        d = hashlib.sha256(first)
        while left:
            b = f.read(min(left, CHUNK))
            if not b:
                raise ValueError
            d.update(b)
            left -= len(b)
        if f.read(66) != d.hexdigest().encode() + b'\n':
            raise ValueError
    return h


class VolumeFile(io.RawIOBase):
    def __init__(self, volumes, start, size):
        io.RawIOBase.__init__(self)
        self.v = volumes
        self.start = start
        self.size = size
        self.pos = 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.pos

    def seek(self, pos, whence=0):
        self.pos = pos if whence == 0 else self.pos + pos if whence == 1 else self.size + pos
        return self.pos

    def readinto(self, b):
        n = min(len(b), self.size - self.pos)
        if n <= 0:
            return 0
        got = self.v.read_at(self.start + self.pos, n)
        b[:len(got)] = got
        self.pos += len(got)
        return len(got)


class Volumes:
    """An archive read from its volumes."""

    def __init__(self, folders):
        for f in folders:
            need_folder(f)
        sets = {}
        for f in folders:
            for n in sorted(os.listdir(f)):
                path = os.path.join(f, n)
                try:
                    h = read_volume(path)
                except (OSError, ValueError, TypeError):
                    continue
                key = canonical({k: v for k, v in h.items() if k not in ('kind', 'number')})
                sets.setdefault(key, {})[h['kind'], h['number']] = path
        if not sets:
            raise Fail('no_volumes')
        if len(sets) > 1:
            raise Fail('several_sets', sets=len(sets))
        for key in sets:
            self.h = load_json(key.decode())
            self.paths = sets[key]
        self.where = {}

    def family(self, v):
        """The spare volume and the other data volumes that a data volume is made of again, None if one is lost."""
        s = self.h['spares']
        if not s:
            return None
        k = (v - 1) % s + 1
        out = [('spare', k)] + [('data', i) for i in range(k, self.h['data'] + 1, s) if i != v]
        return out if all(x in self.paths for x in out) else None

    def lost(self, v):
        return ('data', v) not in self.paths and self.family(v) is None

    def need(self, start, size):
        if size:
            c = self.h['capacity']
            for v in range(start // c + 1, (start + size - 1) // c + 2):
                if self.lost(v):
                    raise Fail('missing_volume', volume=v)

    def read_at(self, pos, n):
        c = self.h['capacity']
        v, off = pos // c + 1, pos % c
        n = min(n, part_length(self.h, 'data', v) - off, CHUNK)
        names = [('data', v)] if ('data', v) in self.paths else self.family(v)
        acc = 0
        for kind, number in names:
            m = min(n, part_length(self.h, kind, number) - off)
            if m > 0:
                with open(self.paths[kind, number], 'rb') as f:
                    f.seek(256 + off)
                    b = f.read(m)
                if len(names) == 1:
                    return b
                acc ^= int.from_bytes(b, 'little')
        return acc.to_bytes(n, 'little')

    def open_range(self, start, size):
        self.need(start, size)
        return io.BufferedReader(VolumeFile(self, start, size), CHUNK if size > CHUNK else 8192)

    def read_index(self):
        with self.open_range(0, self.h['index']) as f:
            raw = f.read()
        try:
            x = load_json(raw.decode('utf-8'))
            if canonical(x) + b'\n' != raw or set(x) != {'block', 'files'}:
                raise ValueError
            if x['block'] is not None and not whole(x['block'], MAX_BLOCK):
                raise ValueError
            if not isinstance(x['files'], list):
                raise ValueError
            pos = len(raw)
            last = ''
            for f in x['files']:
                if set(f) != {'file', 'size'} or not MEMBER.fullmatch(f['file'].encode()) or not is_size(f['size']):
                    raise ValueError
                if f['file'] <= last:
                    raise ValueError
                last = f['file']
                self.where[f['file']] = (pos, f['size'])
                pos += f['size']
            if pos != self.h['stream']:
                raise ValueError
        except (ValueError, TypeError, AttributeError):
            raise Fail('no_volumes')
        self.block = x['block']

    def open(self, rel):
        if rel not in self.where:
            raise FileNotFoundError(rel)
        return self.open_range(*self.where[rel])


class Chunks:
    """Reads from pieces of bytes."""

    def __init__(self, pieces):
        self.pieces = pieces
        self.buf = b''
        self.pos = 0

    def read(self, n):
        got = []
        have = 0
        while have < n:
            if self.pos == len(self.buf):
                self.buf = next(self.pieces, None)
                self.pos = 0
                if self.buf is None:
                    self.buf = b''
                    break
            b = self.buf[self.pos:self.pos + n - have]
            self.pos += len(b)
            have += len(b)
            got.append(b)
        return b''.join(got)


def check_all(arc, snaps):
    done = set()
    for s in snaps:
        for e in entries_of(arc, s):
            if e['type'] == 'file' and e['sha256'] not in done:
                check_content(arc, e['sha256'], e['size'])
                done.add(e['sha256'])


def cmd_export(a, o):
    arc, folder = a
    open_archive(arc)
    snaps = {}
    if '--snapshot' in o:
        for ref in o['--snapshot']:
            sid, s = find_snapshot(arc, ref)
            snaps[sid] = s
    else:
        for x in all_snapshots(arc):
            snaps[x['snapshot']] = load_snapshot(arc, x['snapshot'])
    try:
        if not folder or (os.path.lexists(folder) and os.listdir(folder)):
            raise Fail('not_empty')
    except OSError:
        raise Fail('not_empty')
    check_all(arc, snaps.values())
    recipes = set()
    rels = set()
    for sid, s in snaps.items():
        rels.add('snapshots/' + sid)
        rels.update(object_rel(x) for x in needs_of(arc, entries_of(arc, s), recipes))
    rels.update(recipe_rel(x) for x in recipes)
    files = [{'file': r, 'size': os.path.getsize(os.path.join(arc, r.encode()))} for r in sorted(rels)]
    index = canonical({'block': BLOCK, 'files': files}) + b'\n'
    stream = len(index) + sum(f['size'] for f in files)

    def pieces():
        yield index
        for f in files:
            with member_open(arc, f['file']) as g:
                while True:
                    b = g.read(CHUNK)
                    if not b:
                        break
                    yield b

    d = hashlib.sha256()
    for b in pieces():
        d.update(b)
    cap = o['--size'] - 321
    data = -(-stream // cap)
    spares = min(o.get('--spares', 0), data)
    head = {'capacity': cap, 'data': data, 'spares': spares, 'index': len(index), 'stream': stream,
            'set': d.hexdigest()}

    def write(kind, number, parts):
        name = b'volume-%04d' % number if kind == 'data' else b'spare-%02d' % number
        path = os.path.join(folder, name)
        first = canonical(dict(head, kind=kind, number=number)).ljust(255) + b'\n'
        h = hashlib.sha256(first)
        with open(path, 'wb') as f:
            written.append(path)
            f.write(first)
            for b in parts:
                h.update(b)
                f.write(b)
            f.write(h.hexdigest().encode() + b'\n')
        return path

    def take(f, n):
        while n:
            b = f.read(min(n, CHUNK))
            if not b:
                raise OSError('the archive has changed')
            n -= len(b)
            yield b

    made = []
    written = []
    try:
        try:
            make_folders(folder, made)
        except OSError:
            raise Fail('not_empty')
        f = Chunks(pieces())
        paths = {}
        for v in range(1, data + 1):
            paths[v] = write('data', v, take(f, part_length(head, 'data', v)))
        for k in range(1, spares + 1):
            parts = [(paths[v], 256, part_length(head, 'data', v)) for v in range(k, data + 1, spares)]
            write('spare', k, xor(parts, part_length(head, 'spare', k)))
    except BaseException:
        for p in written:
            os.unlink(p)
        for p in reversed(made):
            os.rmdir(p)
        raise
    emit([{'set': head['set'], 'volumes': data, 'spares': spares, 'bytes': stream}])


def cmd_import(a, o):
    global BLOCK
    arc, folders = a[0], a[1:]
    try:
        new = not os.path.lexists(arc) or not os.listdir(arc)
    except OSError:
        new = False
    if not arc:
        raise Fail('no_archive')
    if new:
        up = arc.rstrip(b'/')
        while up and not os.path.lexists(up):
            up = os.path.dirname(up).rstrip(b'/')
        if up and not os.path.isdir(up):
            raise Fail('no_archive')
    else:
        open_archive(arc)
    v = Volumes(folders)
    gone = [i for i in range(1, v.h['data'] + 1) if v.lost(i)]
    if gone:
        raise Fail('incomplete', volumes=gone)
    v.read_index()
    order = [s['snapshot'] for s in all_snapshots(v)]
    snaps = [load_snapshot(v, x) for x in order]
    check_all(v, snaps)
    if new:
        make_archive(arc, v.block)
        BLOCK = v.block
    added = [0, 0]
    there = set()
    fresh = 0
    tmp = fresh_tmp(arc)
    try:
        done = set()
        for s in snaps:
            for e in entries_of(v, s):
                if e['type'] != 'file' or e['sha256'] in done:
                    continue
                done.add(e['sha256'])
                if not content_there(arc, e['sha256'], e['size']):
                    store(arc, Chunks(content_chunks(v, e['sha256'], e['size'])), added, there)
        for sid in order:
            dest = os.path.join(arc, b'snapshots', sid.encode())
            if os.path.exists(dest):
                continue
            os.makedirs(os.path.dirname(dest), exist_ok=True)
            with v.open('snapshots/' + sid) as f, open(os.path.join(tmp, b'snapshot'), 'wb') as g:
                shutil.copyfileobj(f, g, CHUNK)
            os.rename(os.path.join(tmp, b'snapshot'), dest)
            fresh += 1
    finally:
        empty_tmp(arc)
    emit([{'snapshots': len(order), 'new_snapshots': fresh, 'new_objects': added[0], 'new_bytes': added[1]}])


# ---------------------------------------------------------------- command line

FLAGS = ('--changes', '--no-renames', '--dry-run')


REPEATED = ('--snapshot', '--only', '--except')
POINTS = {'save': ('stored',), 'forget': ('recorded', 'removed'), 'prune': ('removed',), 'restore': ('half',)}


def parse_number(t, top):
    if not re.fullmatch(r'[1-9][0-9]{0,18}', t) or int(t) > top:
        raise ValueError
    return int(t)


COMMANDS = {
    # command: (function, kinds of the arguments, options)
    'scan': (cmd_scan, 'F', ()),
    'build': (cmd_build, 'FF', ()),
    'init': (cmd_init, 'F', ('--block',)),
    'save': (cmd_save, 'FF', ('--at', '--label', '--changes', '--pause')),
    'diff': (cmd_diff, 'FDD', ('--threshold', '--no-renames', '--only', '--except')),
    'export': (cmd_export, 'FF', ('--size', '--spares', '--snapshot')),
    'import': (cmd_import, 'FF+', ()),
    'check': (cmd_check, 'F', ()),
    'protect': (cmd_protect, 'F', ('--group',)),
    'repair': (cmd_repair, 'F', ('--from', '--tree')),
    'pin': (cmd_pin, 'FS', ()),
    'unpin': (cmd_unpin, 'FS', ()),
    'forget': (cmd_forget, 'F', ('--policy', '--now', '--label', '--dry-run', '--pause')),
    'prune': (cmd_prune, 'F', ('--dry-run', '--pause')),
    'usage': (cmd_usage, 'F', ()),
    'history': (cmd_history, 'FSP', ('--threshold',)),
    'list': (cmd_list, 'F', ('--label',)),
    'show': (cmd_show, 'FS', ()),
    'cat': (cmd_cat, 'FSP', ()),
    'restore': (cmd_restore, 'FSF', ('--pause', '--only', '--except')),
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
            if x not in allowed or (x in opts and x not in REPEATED):
                raise Fail('usage')
            if x in FLAGS:
                opts[x] = True
            else:
                if i + 1 >= len(argv):
                    raise Fail('usage')
                if x in ('--from', '--tree'):
                    opts.setdefault('sources', []).append((x, os.fsencode(argv[i + 1])))
                elif x in REPEATED:
                    opts.setdefault(x, []).append(argv[i + 1])
                else:
                    opts[x] = argv[i + 1]
                i += 1
        else:
            pos.append(os.fsencode(x))
        i += 1
    if kinds.endswith('+') and len(pos) >= len(kinds) - 1:
        kinds = kinds[:-1]
    elif len(pos) != len(kinds):
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
        if '--group' in allowed:
            opts['--group'] = parse_number(opts['--group'], 1000)
        if '--size' in allowed:
            opts['--size'] = parse_number(opts['--size'], 1099511627776)
            if opts['--size'] < 322:
                raise ValueError
        if '--spares' in opts:
            opts['--spares'] = 0 if opts['--spares'] == '0' else parse_number(opts['--spares'], 99)
        if '--snapshot' in opts:
            opts['--snapshot'] = [parse_ref(os.fsencode(x)) for x in opts['--snapshot']]
        for k in ('--only', '--except'):
            if k in opts:
                opts[k] = [pattern_tokens(x) for x in opts[k]]
        if '--pause' in opts and opts['--pause'] not in POINTS[argv[0]]:
            raise ValueError
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
    return func(pos, opts) or 0


if __name__ == '__main__':
    sys.setrecursionlimit(10000)  # folders are removed by recursion
    for number in SIGNALS:
        signal.signal(number, on_signal)
    try:
        sys.exit(main(sys.argv[1:]))
    except Interrupted:
        sys.exit(4)
    except Fail as e:
        sys.stderr.write(json.dumps(dict({'error': e.code}, **e.more)) + '\n')
        sys.exit(2 if e.code == 'usage' else 1)
    except OSError as e:
        sys.stderr.write(json.dumps({'error': 'io', 'message': str(e)}) + '\n')
        sys.exit(1)
