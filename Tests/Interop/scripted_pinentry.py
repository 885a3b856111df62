#!/usr/bin/python3
"""A pinentry without a person: answers each GETPIN as PINENTRY_USER_DATA says, and writes down what it is told.

PINENTRY_USER_DATA: the log's path, then what the first, second, … GETPIN of all runs gets, separated by commas. The last
one counts for all that follow. A word that begins with an exclamation mark is a misbehaviour, see below; one that begins
with @ names a file whose first line is the PIN; another one is a PIN.
?no among them says no to each CONFIRM, ?cancel cancels it; else the answer is yes.
"""

import os
import signal
import sys
import time


def say(text):
    sys.stdout.buffer.write(text.encode("latin-1") + b"\n")
    sys.stdout.buffer.flush()


def sleep():
    while True:
        time.sleep(60)


def misbehave(word):
    if word == "!cancel":
        say("ERR 83886179 Operation cancelled <Pinentry>")
    elif word == "!timeout":
        say("ERR 83886142 Timeout <Pinentry>")
    elif word == "!nowhere":
        say("ERR 83918950 Inappropriate ioctl for device <Pinentry>")
    elif word == "!refuse":
        say("ERR 83886355 Unknown \x1b[2Jcommand <Pinentry>")
    elif word == "!garbage":
        say("Good morning! 482913")
    elif word == "!inquire":
        say("INQUIRE QUALITY 482913")
    elif word == "!error":
        say("ERR cancelled")
    elif word == "!close":
        sys.exit(0)
    elif word == "!half":
        sys.stdout.write("D 4829")
        sys.stdout.flush()
        sys.exit(0)
    elif word == "!die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "!line":
        say("D " + "4" * 5000)
        say("OK")
    elif word == "!pin":
        for _ in range(10):
            say("D " + "4" * 100)
        say("OK")
    elif word == "!remarks":
        while True:
            say("# still thinking")
    elif word == "!digits":
        say("D 48%2")
        say("OK")
    elif word == "!letters":
        say("D 48%zz")
        say("OK")
    elif word == "!silent":
        sleep()
    elif word == "!deaf":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        sleep()
    elif word == "!pieces":
        say("# a remark")
        say("S PASSWORD_FROM_CACHE")
        say("")
        say("D 48")
        say("S MORE")
        say("D %32%39")
        say("D 13%25%0a%C3%a4")
        say("OK closing this one")
    elif word == "!empty":
        say("OK")
    elif word == "!noise":
        sys.stderr.write("(pinentry-gtk-2:4711): Gtk-WARNING **: cannot open display\n")
        say("D 482913")
        say("OK")
    else:
        say("ERR 83886355 no such misbehaviour")


log, *words = os.environ["PINENTRY_USER_DATA"].split(",")
questions = [word for word in words if word.startswith("?")]
words = [word for word in words if not word.startswith("?")]
past = 0
if os.path.exists(log):
    past = sum(line == "GETPIN\n" for line in open(log))
with open(log, "a") as notes:
    notes.write(f"pid {os.getpid()}\n")
    with open("/proc/self/status") as status:
        blocked = next(int(line.split()[1], 16) for line in status if line.startswith("SigBlk:"))
    notes.write(f"process leads {os.getsid(0) == os.getpid()}, blocks {blocked}\n")
    for number in os.listdir("/proc/self/fd"):
        if os.path.exists(f"/proc/self/fd/{number}"):
            notes.write(f"process has {os.readlink(f'/proc/self/fd/{number}')}\n")
    notes.write("environment " + " ".join(sorted(name for name in os.environ if name != "LC_CTYPE")) + "\n")
    notes.write("arguments " + " ".join(sys.argv[1:]) + "\n")
    notes.flush()
    if words[0] == "!greeting":
        say("D 482913")
        say("OK")
        sleep()
    if words[0] == "!unpolite":
        sleep()
    say("OK Pleased to meet you, process 1")
    for line in sys.stdin:
        notes.write(line)
        notes.flush()
        if line == "GETPIN\n":
            word = words[min(past, len(words) - 1)]
            past += 1
            if word.startswith("!"):
                misbehave(word)
            else:
                say("D " + (open(word[1:]).readline().strip() if word.startswith("@") else word))
                say("OK")
        elif line == "CONFIRM\n" and "?no" in questions:
            say("ERR 83886194 Not confirmed <Pinentry>")
        elif line == "CONFIRM\n" and "?cancel" in questions:
            say("ERR 83886179 Operation cancelled <Pinentry>")
        elif line == "BYE\n":
            say("OK closing connection")
            break
        elif line.startswith("OPTION lc-"):
            say("ERR 83886254 Unknown option <Pinentry>")
        else:
            say("OK")
