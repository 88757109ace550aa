#!/usr/bin/env python3
"""Make a wheel of the Python package, with the standard library alone and without network.

  python_wheel.py LIBRARY FOLDER    write FOLDER/fracas-VERSION-py3-none-PLATFORM.whl, print its path

The same files give the same bytes: sorted names, one date, one compression level.
"""
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "python", "fracas")
DATE = (1980, 1, 1, 0, 0, 0)

METADATA = """Metadata-Version: 2.1
Name: fracas
Version: {version}
Summary: Finds every collision between meshes that deform, break and move
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy (>=1.22)
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{description}"""

WHEEL = """Wheel-Version: 1.0
Generator: fracas tools/python_wheel.py
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def read(*names):
    with open(os.path.join(ROOT, *names), "rb") as file:
        return file.read()


def version():
    text = read("include", "fracas", "base.h").decode()
    return ".".join(re.findall(r"#define FRACAS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def platform():
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def description():
    """docs/python.md without its links to other pages, which a wheel does not have."""
    return re.sub(r"\[([^\]]+)\]\((?!http)[^)]*\)", r"\1", read("docs", "python.md").decode())


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def contents(library, info):
    """All files of the wheel but RECORD: {name: bytes}."""
    files = {}
    for name in os.listdir(PACKAGE):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            files[f"fracas/{name}"] = read("python", "fracas", name)
    with open(library, "rb") as file:
        files["fracas/" + re.sub(r"(\.so).*", r"\1", os.path.basename(library))] = file.read()
    files[f"{info}/METADATA"] = METADATA.format(version=version(),
                                                description=description()).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(platform=platform()).encode()
    files[f"{info}/LICENSE"] = read("LICENSE")
    return files


def write(library, folder):
    info = f"fracas-{version()}.dist-info"
    files = contents(library, info)
    lines = [f"{name},sha256={digest(data)},{len(data)}" for name, data in sorted(files.items())]
    # RECORD is last, and does not have its own hash.
    ordered = sorted(files.items())
    ordered.append((f"{info}/RECORD", "\n".join(lines + [f"{info}/RECORD,,", ""]).encode()))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"fracas-{version()}-py3-none-{platform()}.whl")
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in ordered:
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            mode = 0o755 if ".so" in name or name.endswith(".dylib") else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, data)
    os.replace(path + ".part", path)
    return path


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write(sys.argv[1], sys.argv[2]))


if __name__ == "__main__":
    main()
