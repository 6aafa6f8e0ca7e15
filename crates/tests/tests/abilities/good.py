# A store of words, which uses all that a case can look into.
import argparse, io, json, os, signal, sqlite3, sys, tarfile, time, zipfile

DATABASE = "words.db"


def connect():
    connection = sqlite3.connect(DATABASE)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, count INTEGER NOT NULL)")
    return connection


def known(path):
    with open(path) as file:
        return file.read().split()


def add(words, path):
    unknown = [word for word in words if word not in known(path)]
    if unknown:
        print(f"unknown: {' '.join(unknown)}", file=sys.stderr)
        return 3
    with connect() as connection:
        for word in words:
            sql = "INSERT INTO words VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1"
            connection.execute(sql, (word,))
    return 0


def report():
    rows = connect().execute("SELECT word, count FROM words").fetchall()
    total = sum(count for _, count in rows)
    words = [{"word": word, "count": count, "share": count / total} for word, count in reversed(rows)]
    print(json.dumps({"words": words, "total": total, "seconds": time.perf_counter(), "version": "1.2"}))
    return 0


def pack(name):
    text = "".join(f"{word}\n" for (word,) in connect().execute("SELECT word FROM words ORDER BY word"))
    if name.endswith(".zip"):
        with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("words/all.txt", text)
        return 0
    with tarfile.open(name, "w:gz" if name.endswith(".gz") else "w") as archive:
        member = tarfile.TarInfo("./words/all.txt")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text.encode()))
    return 0


def watch(polite):
    signal.signal(signal.SIGINT, lambda *_: sys.exit(5))

    def stop(*_):
        with open("stopped", "w") as file:
            file.write("by signal\n")
        sys.exit(0)

    if polite:
        signal.signal(signal.SIGTERM, stop)
    print("watching", flush=True)
    # Left open: what was added is in the write-ahead log only.
    connection = connect()
    with connection:
        connection.execute("INSERT OR IGNORE INTO words VALUES ('watched', 1)")
    with open("ready", "w"):
        pass
    while True:
        time.sleep(1)


def main():
    command, *rest = sys.argv[1:]
    if command == "add":
        return add(rest, os.path.join(os.environ["ASSETS"], "known.txt"))
    if command == "check":
        return add(sys.stdin.read().split(), rest[0])
    if command == "report":
        return report()
    if command == "pack":
        return pack(rest[0])
    return watch(command == "watch")


sys.exit(main())
