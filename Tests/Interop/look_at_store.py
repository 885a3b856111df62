"""What stands in a store's files, read by another program than the one under test: Python's SQLite.

Request: {"store": folder, "copy": empty folder}. The store is looked at in the copy, and left as it is.
Answer: {"integrity": what `PRAGMA integrity_check` says; missing without a database,
"signatures": count, "flows": [kind]}.
"""

import json
import os
import shutil
import sqlite3
import sys


def main():
    request = json.load(sys.stdin)
    store, copy = request["store"], request["copy"]
    answer = {"signatures": 0, "flows": []}
    for name in os.listdir(store):
        if name.startswith("store.sqlite"):
            shutil.copy(os.path.join(store, name), copy)
    if any(os.path.getsize(os.path.join(copy, name)) for name in os.listdir(copy)):
        database = sqlite3.connect(os.path.join(copy, "store.sqlite"))
        answer["integrity"] = database.execute("PRAGMA integrity_check").fetchone()[0]
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        if "signature" in tables:
            answer["signatures"] = database.execute("SELECT count(*) FROM signature").fetchone()[0]
        if "flow" in tables:
            answer["flows"] = [row[0] for row in database.execute("SELECT kind FROM flow ORDER BY 1")]
    json.dump(answer, sys.stdout)


main()
