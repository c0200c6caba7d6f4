#!/usr/bin/env python3
"""Compiles kernels of others, runs `tilewright check` on each, and writes a row of a table for each.

usage: foreign-kernels.py LAUNCHER LIST.toml OUT.csv --sources FOLDER --work FOLDER [--python PYTHON] [--only NAME,...]
                          [--compile-only]

LIST.toml has a table [[kernel]] for each, see packaging/foreign/kernels.toml. FOLDER/NAME of --sources is a checkout of
OWNER/NAME at the commit of the list; git says which it is, or a file COMMIT in it. Nothing of it is copied: the text of
the list includes it. What is compiled stays in --work until its text, flags or commit change. Rows of kernels that are
not named by --only stay as they are.
"""
import argparse
import csv
import fcntl
import fnmatch
import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib

COLUMNS = ["name", "repository", "commit", "path", "flags", "ptx", "entry", "options", "verdict", "rules", "seconds"]
HERE = os.path.dirname(os.path.abspath(__file__))


def source(folder, repository, commit):
    tree = os.path.join(folder, repository.split("/")[1])
    if os.path.exists(os.path.join(tree, ".git")):
        found = subprocess.check_output(["git", "-C", tree, "rev-parse", "HEAD"], text=True).strip()
    else:
        with open(os.path.join(tree, "COMMIT")) as file:
            found = file.read().strip()
    if found != commit:
        sys.exit("%s is at commit %s, and the list says %s" % (tree, found, commit))
    return tree


def ran(command, folder, **more):
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, **more)
    if ended.returncode != 0:
        raise RuntimeError("%s\n%s%s" % (" ".join(command), ended.stdout[-4000:], ended.stderr[-4000:]))
    return ended.stdout


def recorder(work):
    """The stand-in for the CUDA runtime, compiled once."""
    text = os.path.join(HERE, "foreign", "record.cpp")
    made = os.path.join(work, "record.o")
    if not os.path.exists(made) or os.path.getmtime(made) < os.path.getmtime(text):
        ran(["nvcc", "-std=c++17", "-c", text, "-o", made], work)
    return made


def flags(kernel):
    if kernel.get("kind") == "triton":
        return "triton " + kernel["triton"]
    arch = kernel["arch"]
    return ("-std=c++17 -gencode arch=compute_%s,code=compute_%s %s" % (arch, arch, kernel.get("flags", ""))).strip()


def compiled(kernel, tree, work, python):
    """The folder with kernel.ptx and kernel.yaml."""
    asked = json.dumps([kernel["unit"], flags(kernel), kernel["commit"]])
    folder = os.path.join(work, kernel["name"] + "-" + hashlib.sha256(asked.encode()).hexdigest()[:12])
    ptx, launch = os.path.join(folder, "kernel.ptx"), os.path.join(folder, "kernel.yaml")
    os.makedirs(folder, exist_ok=True)
    triton = kernel.get("kind") == "triton"
    text = os.path.join(folder, "unit.py" if triton else "kernel.cu")
    with open(text, "w") as file:
        file.write(kernel["unit"])
    if triton:
        paths = os.pathsep.join([os.path.join(HERE, "foreign"), tree])
        environment = dict(os.environ, PYTHONPATH=paths, SOURCE=os.path.join(tree, kernel["path"]))
        described = ran([python, text], folder, env=environment)
    else:
        includes = ["-I" + path for path in (tree, os.path.join(HERE, "foreign"), folder)]
        options = os.path.expandvars(flags(kernel).replace("$SOURCE", tree)).split()
        options = [option.replace("$FOREIGN", os.path.join(HERE, "foreign")) for option in options]
        if not os.path.exists(os.path.join(folder, "record")):
            ran(["nvcc", "-c", "-w", "-keep", "-keep-dir", "."] + options + includes + ["kernel.cu"], folder)
            for left in os.listdir(folder):
                if left.endswith((".ii", ".gpu", ".stub.c", ".cudafe1.c", ".cudafe1.cpp", ".fatbin", ".fatbin.c")):
                    os.remove(os.path.join(folder, left))
            # What the program needs of CUDA and its libraries, and never calls, may stay undefined.
            ran(["objcopy", "-w", "-W", "cu*", "kernel.o"], folder)
            ran(["g++", "kernel.o", recorder(work), "-o", "record"], folder)
        environment = dict(os.environ, PTX_FILE=ptx)
        described = ran(["./record"] + kernel.get("arguments", "").split(), folder, env=environment)
    with open(launch, "w") as file:
        file.write(described)
    return folder


def checked(launcher, kernel, folder):
    document = os.path.join(folder, "check.json")
    if os.path.exists(document):
        os.remove(document)
    options = kernel.get("check", "").split()
    started = time.monotonic()
    command = [launcher, "check", "kernel.ptx", "--launch", "kernel.yaml", "--json", "check.json"] + options
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    seconds = time.monotonic() - started
    with open(os.path.join(folder, "check.log"), "w") as file:
        file.write(ended.stdout + ended.stderr)
    with open(os.path.join(folder, "kernel.ptx"), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    row = {"ptx": digest, "options": " ".join(options), "seconds": "%.1f" % seconds}
    if not os.path.exists(document):
        return dict(row, entry="", verdict="exit %d" % ended.returncode, rules="")
    with open(document) as file:
        said = json.load(file)
    accepted = said.get("accepted") or []
    rules = {finding["rule"] for finding in accepted}
    verdict = said["verdict"]
    if verdict == "hazard":
        found = [said["hazard"]] + (said.get("otherHazards") or [])
        verdict = "hazard: " + " ".join(sorted({finding["rule"] for finding in found}))
    elif accepted:
        verdict += ", %d accepted" % len(accepted)
    return dict(row, entry=said["entry"], verdict=verdict, rules=" ".join(sorted(rules)))


def written(out, row, names):
    """Puts the row in its place; several runs may write one table."""
    with open(out, "a+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        rows = {each["name"]: each for each in csv.DictReader(file)}
        rows[row["name"]] = row
        file.truncate(0)
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows[name] for name in names if name in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launcher")
    parser.add_argument("list")
    parser.add_argument("out")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--python", default=sys.executable, help="one that imports triton")
    parser.add_argument("--only", default="")
    parser.add_argument("--compile-only", action="store_true")
    given = parser.parse_args()
    work = os.path.abspath(given.work)
    os.makedirs(work, exist_ok=True)
    with open(given.list, "rb") as file:
        listed = tomllib.load(file)
    only = [name for name in given.only.split(",") if name]
    for kernel in listed["kernel"]:
        if only and not any(fnmatch.fnmatch(kernel["name"], name) for name in only):
            continue
        kernel["commit"] = listed["commits"][kernel["repository"]]
        tree = source(os.path.abspath(given.sources), kernel["repository"], kernel["commit"])
        try:
            folder = compiled(kernel, tree, work, given.python)
        except RuntimeError as failure:
            print(kernel["name"], failure, flush=True)
            continue
        if given.compile_only:
            print(kernel["name"], "compiled", flush=True)
            continue
        row = checked(os.path.abspath(given.launcher), kernel, folder)
        row.update({key: kernel[key] for key in ("name", "repository", "commit", "path")}, flags=flags(kernel))
        written(given.out, row, [each["name"] for each in listed["kernel"]])
        print(row["name"], row["verdict"], row["rules"], row["seconds"], flush=True)


main()
