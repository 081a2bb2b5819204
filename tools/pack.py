#!/usr/bin/env python3
"""Packs a folder so that the same content gives the same bytes, whoever packs it, where and when.

    tools/pack.py FOLDER OUT.zip|OUT.tar|OUT.tar.gz|OUT.tar.xz [NAME]

Names are sorted, times are SOURCE_DATE_EPOCH (or 1980), owners are nobody, rights are 755 or 644. With NAME everything
lies in a folder of that name."""
import gzip
import lzma
import os
import stat
import sys
import tarfile
import time
import zipfile


def entries(folder):
    """Every file, link and folder below, as (name, path), sorted by name; folders come before what is in them."""
    found = []
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            found.append((os.path.relpath(path, folder).replace(os.sep, "/"), path))
    return sorted(found)


def rights(path):
    return 0o755 if os.path.isdir(path) or os.stat(path).st_mode & stat.S_IXUSR else 0o644


def add(archive, name, path, when):
    """One entry of a tar archive."""
    entry = tarfile.TarInfo(name)
    entry.mtime = when
    if os.path.islink(path):
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(path), 0o777
        archive.addfile(entry)
    elif os.path.isdir(path):
        entry.type, entry.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(entry)
    else:
        entry.size, entry.mode = os.path.getsize(path), rights(path)
        with open(path, "rb") as file:
            archive.addfile(entry, file)


def write_tar(file, folder, name, when):
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        if name:
            add(archive, name, folder, when)
        for inner, path in entries(folder):
            add(archive, f"{name}/{inner}" if name else inner, path, when)


def write_zip(out, folder, name, when):
    stamp = time.gmtime(max(when, 315532800))[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for inner, path in entries(folder):
            if os.path.isdir(path):
                continue
            entry = zipfile.ZipInfo(f"{name}/{inner}" if name else inner, stamp)
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | rights(path)) << 16
            with open(path, "rb") as file:
                archive.writestr(entry, file.read())


def pack(folder, out, name=""):
    when = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))
    part = out + ".part"
    if out.endswith(".zip"):
        write_zip(part, folder, name, when)
    elif out.endswith(".tar.xz"):
        with lzma.open(part, "wb", preset=9, check=lzma.CHECK_CRC64) as file:
            write_tar(file, folder, name, when)
    elif out.endswith(".tar.gz"):
        with open(part, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
            write_tar(file, folder, name, when)
    else:
        with open(part, "wb") as file:
            write_tar(file, folder, name, when)
    os.replace(part, out)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or not os.path.isdir(sys.argv[1]):
        sys.exit("expected: tools/pack.py FOLDER OUT.zip|OUT.tar|OUT.tar.gz|OUT.tar.xz [NAME]")
    pack(*sys.argv[1:])
