#!/usr/bin/env python3
"""Apply deliberate mistakes ("mutants") to a copy of the sources, one at a time, and expect tests to fail.

tests/mutants/*.txt lists them; tests/mutants/README.md describes the format. Each mutant costs one compilation,
one link and its tests. Every test runs on the unchanged sources first, and must pass there.

Exit status: 0 if each mutant was killed, or survived for a reason that its list gives; 1 otherwise.
"""
import argparse
import fnmatch
import glob
import hashlib
import json
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTS = os.path.join(ROOT, "tests", "mutants")
WORK = os.path.join(ROOT, "build", "mutants")
COPIED = ["CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "bench", "cli", "cmake", "completions", "docs",
          "examples", "fuzz", "include", "python", "scenes", "src", "tests", "tools", "viewer"]
MEMORY = 6 << 30  # bytes of address space of a test: a mutant may allocate without end
DEADLOCK = 900  # seconds of a test that needs no CPU time
# A test program of cmocka ends at its first failing test: one failure kills the mutant.
FIRST_FAILURE = {"CMOCKA_TEST_ABORT": "1"}
# What random tests run at a share of 100; at 5 they run what `./dev check` runs with sanitizers.
FULL = {"FRACAS_CCD_QUERIES": 20000, "FRACAS_TRI_QUERIES": 20000, "FRACAS_SEPARATION_QUERIES": 5000,
        "FRACAS_FUZZ_STEPS": 3000, "FRACAS_SEEDS": 320, "FRACAS_SHARE": 100}
KILLED, SURVIVED, ERROR = "killed", "survived", "error"


class ListError(Exception):
    pass


class Mutant:
    def __init__(self, name, where):
        self.name, self.where = name, where
        self.file, self.tests, self.share, self.survives = "", [], 0, ""
        self.old, self.new = [], []

    def key(self):
        """Changes with the mutant and with the file that it changes."""
        text = [self.file, self.tests, self.share, self.survives, self.old, self.new, read(ROOT, self.file)]
        return hashlib.sha256(json.dumps(text).encode()).hexdigest()

    def apply(self, text):
        return text.replace("\n".join(self.old), "\n".join(self.new))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


# ---- lists

def set_field(mutant, field, value):
    if field == "file":
        mutant.file = value
    elif field == "test":
        mutant.tests += value.split()
    elif field == "share":
        mutant.share = int(value)
    elif field == "survives":
        mutant.survives = (mutant.survives + " " + value).strip()
    else:
        raise ListError(f"unknown field '{field}'; known are file, test, share, survives")


def parse(path):
    """The mutants of one list. Fields before the first mutant are defaults of the list."""
    room = os.path.basename(path)[:-len(".txt")]
    mutants, defaults, mutant = [], Mutant("", path), None
    for number, line in enumerate(read(path).split("\n"), 1):
        where = f"{os.path.relpath(path, ROOT)}:{number}"
        try:
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("mutant:"):
                mutant = Mutant(room + "/" + line[len("mutant:"):].strip(), where)
                mutants.append(mutant)
            elif line[0] in "-+" and line[1:2] in ("", " "):
                (mutant.old if line[0] == "-" else mutant.new).append(line[2:])
            else:
                field, _, value = line.partition(":")
                set_field(mutant or defaults, field.strip(), value.strip())
        except (ListError, ValueError, AttributeError) as error:
            raise ListError(f"{where}: {error}") from None
    for mutant in mutants:
        mutant.file = mutant.file or defaults.file
        mutant.tests = mutant.tests or defaults.tests
        mutant.share = mutant.share or defaults.share or 5
    return mutants


def faults(mutants, registered):
    """What is wrong with the lists, one line each."""
    for folder in re.findall(r"add_subdirectory\((\w+)\)", read(ROOT, "CMakeLists.txt")):
        if folder not in COPIED:
            yield f"CMakeLists.txt adds {folder}, which tools/mutants.py does not copy (COPIED)"
    names = set()
    for mutant in mutants:
        if mutant.name in names:
            yield f"{mutant.where}: the name {mutant.name} exists twice"
        names.add(mutant.name)
        if not mutant.tests:
            yield f"{mutant.where}: {mutant.name} names no test"
        for test in mutant.tests:
            if registered is not None and test not in registered:
                yield f"{mutant.where}: {mutant.name} names the test {test}, which CTest does not know"
        if not os.path.isfile(os.path.join(ROOT, mutant.file)):
            yield f"{mutant.where}: {mutant.name} changes {mutant.file or 'no file'}, which does not exist"
            continue
        if mutant.old == mutant.new or not any(mutant.old):
            yield f"{mutant.where}: {mutant.name} changes nothing"
            continue
        count = read(ROOT, mutant.file).count("\n".join(mutant.old))
        if count != 1:
            yield f"{mutant.where}: the old text of {mutant.name} occurs {count} times in {mutant.file}, not once"


def registered_tests(build):
    """The names in CTest's files of a configured build folder."""
    names = set()
    for path in glob.glob(os.path.join(build, "**", "CTestTestfile.cmake"), recursive=True):
        names.update(re.findall(r'add_test\(\[?=*\[?"?([\w.-]+)', read(path)))
    return names


# ---- a copy of the sources and its build

class Copy:
    """One tree of sources with a build folder; a worker owns it."""

    def __init__(self, number):
        self.source = os.path.join(WORK, str(number), "source")
        self.build = os.path.join(WORK, str(number), "build")
        self.log = os.path.join(WORK, str(number), "log")
        self.changed = None  # the file that differs from the checkout
        self.tests = {}
        os.makedirs(self.source, exist_ok=True)

    def synchronize(self):
        """Copy files that differ, and only those: the build remains incremental."""
        wanted = set()
        for top in COPIED:
            path = os.path.join(ROOT, top)
            for folder, _, names in os.walk(path) if os.path.isdir(path) else [(ROOT, [], [top])]:
                wanted.update(os.path.relpath(os.path.join(folder, name), ROOT) for name in names
                              if "__pycache__" not in folder)
        for name in wanted:
            self.copy(name)
        for folder, _, names in os.walk(self.source):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.source) not in wanted:
                    os.remove(path)

    def copy(self, name):
        source, target = os.path.join(ROOT, name), os.path.join(self.source, name)
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
        shutil.copymode(source, target)

    def run(self, command, environment=None, timeout=None):
        """(exit status, output, CPU seconds); the status is None after the timeout, which ends all its processes."""
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
                                       env=dict(os.environ, **(environment or {})))
            late = threading.Event()
            timer = threading.Timer(timeout or 1 << 20, lambda: (late.set(), os.killpg(process.pid, signal.SIGKILL)))
            timer.start()
            # Not communicate(): only wait4 tells the CPU time of this process when several run at a time.
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            output = out.read().decode("utf-8", "replace")
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{output}\n")
        return None if late.is_set() else process.returncode, output, usage.ru_utime + usage.ru_stime

    def configure(self):
        """Little optimization, because a mutant is compiled once and run once. No assertions: tests must notice."""
        command = ["cmake", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release",
                   "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG", "-DFRACAS_BENCHMARKS=OFF", "-DFRACAS_EXAMPLES=OFF",
                   "-DFRACAS_INSTALL=OFF"]
        if shutil.which("ninja"):
            command += ["-G", "Ninja"]
        if shutil.which("ccache"):
            command.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
        return self.run(command, self.cache())[:2]

    def cache(self):
        """All copies share the results of ccache, by paths relative to their sources."""
        return {"CCACHE_BASEDIR": os.path.dirname(self.source), "CCACHE_NOHASHDIR": "1"}

    def make(self, targets, jobs):
        return self.run(["cmake", "--build", self.build, "--parallel", str(jobs), "--target", *targets],
                        self.cache())[:2]

    def change(self, mutant):
        """Apply a mutant, and undo the previous one; without a mutant only undo."""
        if self.changed and (not mutant or self.changed != mutant.file):
            self.copy(self.changed)
        self.changed = mutant.file if mutant else None
        if mutant:
            with open(os.path.join(self.source, mutant.file), "w", encoding="utf-8") as file:
                file.write(mutant.apply(read(ROOT, mutant.file)))

    def program_hash(self, test):
        """Of the program, and of the scripts of its folder."""
        paths = glob.glob(os.path.join(self.build, "**", "test_" + test), recursive=True)
        if test.startswith("cli_"):
            paths = [os.path.join(self.build, "cli", "fracas"), *glob.glob(os.path.join(ROOT, "tests", "cli", "*"))]
        content = hashlib.sha256()
        for path in sorted(paths):
            with open(path, "rb") as file:
                content.update(file.read())
        return content.hexdigest()

    def commands(self):
        """How CTest runs each test that is built: command, environment, folder, exit status of a skipped test."""
        _, output, _ = self.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"])
        for test in json.loads(output[output.index("{"):])["tests"]:
            of = {p["name"]: p["value"] for p in test["properties"]}
            environment = dict(entry.split("=", 1) for entry in of.get("ENVIRONMENT", []))
            self.tests[test["name"]] = (test.get("command"), environment, of.get("WORKING_DIRECTORY", self.build),
                                        of.get("SKIP_RETURN_CODE"))

    def test(self, name, share, limit):
        """(passed, failed, skipped or hung; its output; CPU seconds). The limit is CPU time too, which a busy machine
        does not change."""
        command, environment, folder, skipped = self.tests[name]
        environment = dict(environment, **FIRST_FAILURE)
        environment.update({key: str(max(1, full * share // 100)) for key, full in FULL.items()})
        status, output, seconds = self.run(["bash", "-c", 'ulimit -St "$0"; cd "$1" && shift && exec "$@"', str(limit),
                                            folder, *command], environment, DEADLOCK)
        if status is None or status == -signal.SIGXCPU:
            return "hung", output, seconds
        if status == skipped or status in (-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
            return "skipped", output, seconds
        if status < 0:
            output += f"\nsignal {-status}"
        return ("passed" if status == 0 else "failed"), output, seconds


def target_of(test):
    """The target to build: each test is a program of its own, or a script that runs fracas."""
    return "fracas-cli" if test.startswith("cli_") else "test_" + test


def reason(output):
    """A line of a failing test that says what it found."""
    for line in output.split("\n"):
        # cmocka's text of the failure is before the place, "[   LINE   ] --- FILE:LINE: error: Failure!"
        if re.search(r"\[  ERROR   \]|\[   LINE   \]|FAILED:|^signal ", line):
            return re.sub(r"\s+", " ", line.replace(ROOT, "")).strip()[:160]
    return ""


# ---- running

def in_threads(count, function):
    threads = [threading.Thread(target=function, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Run:
    def __init__(self, options, mutants):
        self.options, self.mutants = options, mutants
        self.results_path = os.path.join(WORK, "results.json")
        self.results = self.load()
        self.seconds = {}  # CPU time of each test, by test and share
        self.lock = threading.Lock()
        self.work = queue.Queue()
        self.counts = {KILLED: 0, SURVIVED: 0, ERROR: 0}
        self.failures = []

    def load(self):
        if not self.options.resume or not os.path.exists(self.results_path):
            return {}
        return json.loads(read(self.results_path))

    def record(self, mutant, state, note, seconds):
        with self.lock:
            self.counts[state] += 1
            good = state == KILLED and not mutant.survives or state == SURVIVED and mutant.survives
            if state == SURVIVED and mutant.survives:
                note = "expected: " + mutant.survives
            elif state == KILLED and mutant.survives:
                note = f"its list says that it survives ({note})"
            if not good:
                self.failures.append(f"{mutant.where}: {mutant.name}: {state}: {note}")
            else:
                self.results[mutant.key()] = [state, note, seconds]
            print(f"{'ok ' if good else 'BAD'} {state:8} {seconds:5.1f} s  {mutant.name}: {note}", flush=True)
            self.save()

    def save(self):
        new = self.results_path + ".new"
        with open(new, "w", encoding="utf-8") as file:
            json.dump(self.results, file)
        os.replace(new, self.results_path)

    def baseline(self, copy):
        """Build the unchanged sources and run all tests on them. False: they do not build."""
        pairs = sorted({(test, mutant.share) for mutant in self.mutants for test in mutant.tests})
        status, output = copy.make(sorted({target_of(test) for test, _ in pairs}), os.cpu_count())
        if status != 0:
            print(f"the unchanged sources do not build:\n{output[-3000:]}")
            return False
        copy.commands()
        work = queue.Queue()
        for pair in pairs:
            work.put(pair)

        def work_off(_):
            while True:
                try:
                    self.unchanged(copy, *work.get_nowait())
                except queue.Empty:
                    return
        in_threads(self.options.jobs, work_off)
        return True

    def unchanged(self, copy, test, share):
        """Run one test on the unchanged sources."""
        if not copy.tests.get(test, [None])[0]:
            self.failures.append(f"{test} is no test that CTest knows")
            return
        # CPU times of programs that are bit for bit the same are kept by --resume.
        key = f"{test} {share} {copy.program_hash(test)}"
        if key not in self.results:
            state, output, seconds = copy.test(test, share, 600)
            if state != "passed":
                self.failures.append(f"{test} on the unchanged sources: {state}: {reason(output)}")
                return
            with self.lock:
                self.results[key] = seconds
                self.save()
        self.seconds[test, share] = self.results[key]

    def try_mutant(self, copy, mutant):
        start = time.monotonic()
        missing = [test for test in mutant.tests if (test, mutant.share) not in self.seconds]
        if missing:
            return self.record(mutant, ERROR, f"{missing[0]} does not pass on the unchanged sources", 0)
        copy.change(mutant)
        status, output = copy.make(sorted({target_of(test) for test in mutant.tests}), self.jobs_of_build())
        if status != 0:
            errors = [line for line in output.split("\n") if "error" in line]
            return self.record(mutant, ERROR, f"does not build: {' '.join(errors[:1])}", time.monotonic() - start)
        if not all(copy.tests.get(test, [None])[0] for test in mutant.tests):
            copy.commands()
        notes = []
        for test in mutant.tests:
            limit = int(3 + 5 * self.seconds[test, mutant.share])
            state, output, _ = copy.test(test, mutant.share, limit)
            if state == "skipped":
                return self.record(mutant, ERROR, f"{test} was skipped, or ended from outside", time.monotonic() - start)
            if state == "passed":
                return self.record(mutant, SURVIVED, f"{test} passes", time.monotonic() - start)
            notes.append(f"{test} {state}" + (f": {reason(output)}" if self.options.verbose else ""))
        return self.record(mutant, KILLED, ", ".join(notes), time.monotonic() - start)

    def worker(self, number):
        copy = Copy(number)
        copy.synchronize()
        status, output = copy.configure()
        if status != 0:
            with self.lock:
                self.failures.append(f"copy {number} cannot be configured: {output[-1500:]}")
            return
        while True:
            try:
                mutant = self.work.get_nowait()
            except queue.Empty:
                break
            self.try_mutant(copy, mutant)
        copy.change(None)

    def jobs_of_build(self):
        return max(1, os.cpu_count() // self.options.jobs)

    def all(self):
        start = time.monotonic()
        kept = [mutant for mutant in self.mutants if mutant.key() in self.results]
        self.mutants = [mutant for mutant in self.mutants if mutant.key() not in self.results]
        if kept:
            print(f"{len(kept)} mutants are kept from an earlier run")
        first = Copy(0)
        if self.mutants:
            first.synchronize()
            status, output = first.configure()
            if status != 0:
                print(f"cannot configure:\n{output[-3000:]}")
                return 1
            if not self.baseline(first):
                return 1
            print(f"unchanged sources: {len(self.seconds)} tests pass ({time.monotonic() - start:.0f} s)", flush=True)
        # Mutants of one file one after the other: undoing costs no compilation then.
        for mutant in sorted(self.mutants, key=lambda mutant: mutant.file):
            self.work.put(mutant)
        in_threads(self.options.jobs, self.worker)
        for failure in self.failures:
            print(failure)
        good = not self.failures and self.work.empty()
        print(f"{len(self.mutants)} mutants: {self.counts[KILLED]} killed, {self.counts[SURVIVED]} survived, "
              f"{self.counts[ERROR]} errors; {len(self.failures)} not as their lists say; "
              f"{time.monotonic() - start:.0f} s")
        return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description="Apply deliberate mistakes to a copy of the sources, expect failures.")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN",
                        help="run mutants with this name: geom, 'geom/*lane*', published/pccd-no-look-ahead")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("--check", action="store_true", help="only check that each mutant applies; builds nothing")
    parser.add_argument("--tests-of", metavar="BUILD", help="with --check: the tests exist in this build folder")
    parser.add_argument("--resume", action="store_true", help="keep good results of earlier runs of unchanged mutants")
    parser.add_argument("--verbose", action="store_true", help="say how tests fail")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="mutants at a time, each with its own copy")
    options = parser.parse_args()
    mutants = []
    try:
        for path in sorted(glob.glob(os.path.join(LISTS, "*.txt"))):
            if os.path.basename(path) != "CMakeLists.txt":
                mutants += parse(path)
    except ListError as error:
        print(error)
        return 1
    registered = registered_tests(options.tests_of) if options.tests_of else None
    wrong = list(faults(mutants, registered))
    if wrong:
        print("\n".join(wrong))
        return 1
    if options.check:
        print(f"{len(mutants)} mutants apply")
        return 0
    if options.patterns:
        mutants = [mutant for mutant in mutants if any(
            fnmatch.fnmatch(mutant.name, pattern) or mutant.name.startswith(pattern.rstrip("/") + "/")
            for pattern in options.patterns)]
        if not mutants:
            print(f"no mutant has a name like {' '.join(options.patterns)}; --list has all")
            return 1
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:50} {mutant.file}: {' '.join(mutant.tests)}{' (survives)' if mutant.survives else ''}")
        return 0
    os.makedirs(WORK, exist_ok=True)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return Run(options, mutants).all()


if __name__ == "__main__":
    sys.exit(main())
