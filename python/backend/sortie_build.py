"""Builds sortie for Python: wheels with libsortie inside, editable installs, and source archives (PEP 517 and 660).

CMake compiles the library; the rest is packing, with Python's own library alone, so that nothing has to be fetched. The
same tree and compiler give the same bytes. By hand, also for other platforms (tools/wheels.sh):

    python3 python/backend/sortie_build.py FOLDER [--toolchain cmake/mingw.cmake]
"""
from __future__ import annotations

import argparse
import ast
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "sortie"
# What other libraries a manylinux wheel may ask for: those of the C library.
_SYSTEM = {
    "libc.so.6",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}
_MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}
# Not needed to build: left out of source archives for Python, which would be ten times as large.
_LEFT_OUT = re.compile(r"(proofs/|tests/(?!abi/symbols$)|bench/|docs/|\.ci/|\.github/)")


class BuildError(RuntimeError):
    """Something is missing, or a command has failed."""


# -- what the package is called --


def _project() -> dict[str, Any]:
    """The table [project] of pyproject.toml, of which only strings and lists of strings are used; before 3.11 Python
    cannot read such files by itself."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = text.split("[project]\n", 1)[1].split("\n[", 1)[0]
    found = {}
    for name, value in re.findall(r"^([a-z-]+) = (\"[^\n]*\"|\[.*?\])$", table, re.MULTILINE | re.DOTALL):
        found[name] = ast.literal_eval(value)
    return found


def version() -> str:
    """CMake's version of the project."""
    found = re.search(r"^project\(sortie VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.MULTILINE)
    if not found:
        raise BuildError("expected project(sortie VERSION ...) in CMakeLists.txt")
    return found[1]


def _metadata() -> str:
    project = _project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version()}",
        f"Summary: {project['description']}",
        "License: MIT",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        f"Keywords: {','.join(project['keywords'])}",
    ]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += ["Provides-Extra: env", 'Requires-Dist: numpy; extra == "env"']
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / "python" / "README.md").read_text("utf-8")]
    return "\n".join(lines)


# -- the library --


def _run(*command: str | os.PathLike[str]) -> str:
    """What a command prints; all of it is shown when it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def _epoch() -> int:
    """The time that is written into archives: SOURCE_DATE_EPOCH, else the first day a zip file knows."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)


def _configure(folder: pathlib.Path, toolchain: str | None) -> None:
    """Prepares a folder in which nothing but the shared library will be built."""
    flags = f"{os.environ.get('CFLAGS', '')} -ffile-prefix-map={ROOT}=.".strip()  # where it lay is nobody's business
    options = [
        "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG",
        f"-DCMAKE_C_FLAGS={flags}",
        "-DSORTIE_TESTS=OFF",
        "-DSORTIE_MATCHES=OFF",
        "-DSORTIE_CUDA=OFF",
        "-DSORTIE_MPI=OFF",
    ]
    if toolchain:
        options.append(f"-DCMAKE_TOOLCHAIN_FILE={(ROOT / toolchain).resolve()}")
    if shutil.which("ninja"):
        options += ["-G", "Ninja"]
    _run("cmake", "-S", ROOT, "-B", folder, *options)


def _compile(toolchain: str | None = None, build: str | None = None) -> pathlib.Path:
    """Builds the shared library, in a folder of its own or in one that is given and prepared already; returns the
    file."""
    if not shutil.which("cmake"):
        raise BuildError("expected cmake and a C compiler to build sortie")
    folder = pathlib.Path(build).resolve() if build else ROOT / "build" / "python"
    if not (build and (folder / "CMakeCache.txt").exists()):
        _configure(folder, toolchain)
    _run("cmake", "--build", folder, "--target", "sortie_shared", "--parallel", str(os.cpu_count() or 1))
    for name in ("libsortie.so", "libsortie.dylib", "sortie.dll", "libsortie.dll"):
        if (folder / name).exists():
            return folder / name
    raise BuildError(f"expected a library in {folder}")


def _linux_tag(library: pathlib.Path) -> str:
    """manylinux_2_34_x86_64: the newest C library whose symbols are asked for; linux_x86_64 when more than the C
    library is needed."""
    header = _run("readelf", "-W", "--file-header", "--dynamic", "--version-info", library)
    named = re.search(r"Machine:\s*(.*)", header)
    machine = _MACHINES.get(named[1].strip() if named else "") or sysconfig.get_platform().split("-")[-1]
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", header))
    versions = [tuple(map(int, found)) for found in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", header)]
    if not versions or needed - _SYSTEM:
        return f"linux_{machine}"
    newest = max(max(versions), (2, 17))  # what pip knows begins there
    return f"manylinux_{newest[0]}_{newest[1]}_{machine}"


def _platform_tag(library: pathlib.Path) -> str:
    """The platform a library is for, as wheels spell it."""
    if library.suffix == ".dll":
        return "win_amd64"
    if library.suffix == ".so":
        return _linux_tag(library)
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


# -- wheels --


class _Wheel:
    """A zip file with a list of its contents; the files in the order of their names, all of the same time."""

    def __init__(self, tag: str) -> None:
        self.name = f"sortie-{version()}-{tag}.whl"
        self.info = f"sortie-{version()}.dist-info"
        self.files: dict[str, bytes] = {}
        self.add(f"{self.info}/METADATA", _metadata())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        about = ("Wheel-Version: 1.0", "Generator: sortie_build", "Root-Is-Purelib: false", f"Tag: {tag}")
        self.add(f"{self.info}/WHEEL", "".join(f"{line}\n" for line in about))

    def add(self, name: str, data: bytes | str) -> None:
        self.files[name] = data if isinstance(data, bytes) else data.encode()

    def _record(self) -> str:
        lines = []
        for name, data in sorted(self.files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}\n")
        return "".join(lines) + f"{self.info}/RECORD,,\n"

    def write(self, folder: str) -> str:
        """Writes the file beside and renames it."""
        self.add(f"{self.info}/RECORD", self._record())
        path = pathlib.Path(folder) / self.name
        beside = path.with_suffix(".part")
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in sorted(self.files.items(), key=lambda file: (file[0].startswith(self.info), file[0])):
                entry = zipfile.ZipInfo(name, time.gmtime(_epoch())[:6])
                entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
                entry.external_attr = (0o100755 if name.endswith((".so", ".dll", ".dylib")) else 0o100644) << 16
                archive.writestr(entry, data)
        os.replace(beside, path)
        return self.name


def _stripped(library: pathlib.Path) -> bytes:
    """The library without what only debuggers read."""
    cache = (library.parent / "CMakeCache.txt").read_text("utf-8")
    strip = re.search(r"^CMAKE_STRIP:FILEPATH=(.*)$", cache, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / library.name
        shutil.copyfile(library, copy)
        if strip and strip[1] and not strip[1].endswith("-NOTFOUND"):
            _run(strip[1], "-x" if library.suffix == ".dylib" else "--strip-unneeded", copy)
        return copy.read_bytes()


def make_wheel(folder: str, toolchain: str | None = None, build: str | None = None) -> str:
    """A wheel with the library inside; returns its name."""
    library = _compile(toolchain, build)
    wheel = _Wheel(f"py3-none-{_platform_tag(library)}")
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and (path.suffix == ".py" or path.name == "py.typed"):
            wheel.add(path.relative_to(PACKAGE.parent).as_posix(), path.read_bytes())
    wheel.add("sortie/" + library.name, _stripped(library))
    return wheel.write(folder)


def _settings(config: dict[str, Any] | None) -> dict[str, str]:
    """-C toolchain=FILE and -C build=FOLDER."""
    unknown = set(config or {}) - {"toolchain", "build"}
    if unknown:
        raise BuildError(f"expected the settings toolchain and build, found {', '.join(sorted(unknown))}")
    return {name: str(value) for name, value in (config or {}).items()}


# -- what pip and build ask for --


def _missing() -> list[str]:
    """cmake and ninja can be had as packages, where the machine has none."""
    return [name for name in ("cmake",) if not shutil.which(name)]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    return _missing()


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    return _missing()


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    return []


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    return make_wheel(wheel_directory, **_settings(config_settings))


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """The library is built in the tree, where the package looks for it; a path file leads to the package."""
    library = _compile(**_settings(config_settings))
    wheel = _Wheel(f"py3-none-{_platform_tag(library)}")
    wheel.add("sortie.pth", f"{PACKAGE.parent}\n")
    return wheel.write(wheel_directory)


def _sources() -> list[str]:
    """What git tracks, or what an unpacked archive says it has."""
    listed = ROOT / "SOURCES"
    if listed.exists():
        names = listed.read_text("utf-8").splitlines()
    else:
        names = _run("git", "-C", ROOT, "ls-files").splitlines()
    return sorted(name for name in names if not _LEFT_OUT.match(name) and (ROOT / name).is_file())


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """The sources that are needed to build, with a list of them."""
    name = f"sortie-{version()}"
    sources = _sources()
    files = {source: (ROOT / source).read_bytes() for source in sources}
    files["PKG-INFO"] = _metadata().encode()
    files["SOURCES"] = "".join(f"{source}\n" for source in sources if source != "SOURCES").encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime = len(data), _epoch()
            runs = (ROOT / path).exists() and os.access(ROOT / path, os.X_OK)
            entry.mode = 0o755 if runs else 0o644
            archive.addfile(entry, io.BytesIO(data))
    out = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    out.write_bytes(gzip.compress(packed.getvalue(), mtime=_epoch()))
    return out.name


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds a wheel of sortie.")
    parser.add_argument("folder", help="where to write it")
    parser.add_argument("--toolchain", help="a CMake toolchain file, for another platform")
    parser.add_argument("--build", help="where to compile")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    print(make_wheel(asked.folder, asked.toolchain, asked.build))


if __name__ == "__main__":
    main()
