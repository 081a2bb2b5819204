#!/usr/bin/env python3
"""Makes an image for containers, without a daemon: tar archives, their hashes, and three kinds of JSON.

    tools/image.py OUT.tar VERSION HOME amd64=FOLDER [arm64=FOLDER]

OUT is an archive as the Open Container Initiative describes it (`podman load`, `docker load`, `buildah from
oci-archive:`). Every FOLDER becomes the whole system of the image for that processor: one layer, made by pack.py, so
that the same folders give the same bytes. SOURCE_DATE_EPOCH is the time of everything."""
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import tempfile
import time

sys.dont_write_bytecode = True
import pack  # noqa: E402

OCI = "application/vnd.oci.image."


def when():
    return int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when()))


class Layout:
    """The archive's content: blobs by their hashes, and what names them."""

    def __init__(self):
        self.files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}'}

    def blob(self, content, kind):
        """Keeps the bytes; returns their descriptor."""
        if not isinstance(content, bytes):
            content = json.dumps(content, separators=(",", ":"), sort_keys=True).encode()
        digest = hashlib.sha256(content).hexdigest()
        self.files["blobs/sha256/" + digest] = content
        return {"mediaType": OCI + kind, "digest": "sha256:" + digest, "size": len(content)}

    def write(self, out):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in self.files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content)
            pack.pack(folder, out)


def layer(folder):
    """The folder as a layer: its bytes, and the hash of what is inside the compression."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, path in pack.entries(folder):
            pack.add(archive, name, path, when())
        for name, mode in (("tmp", 0o1777), ("work", 0o1777)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, mode, when()
            archive.addfile(entry)
    return gzip.compress(plain.getvalue(), 9, mtime=0), "sha256:" + hashlib.sha256(plain.getvalue()).hexdigest()


def add_image(layout, architecture, folder, labels):
    """One processor's image; returns its descriptor."""
    packed, inner = layer(folder)
    config = {
        "architecture": architecture, "os": "linux", "created": stamp(),
        "config": {"Entrypoint": ["/usr/bin/sortie"], "Cmd": ["help"], "Env": ["PATH=/usr/bin"], "WorkingDir": "/work",
                   "User": "65534:65534", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [inner]},
        "history": [{"created": stamp(), "created_by": "tools/image.py"}],
    }
    manifest = {"schemaVersion": 2, "mediaType": OCI + "manifest.v1+json",
                "config": layout.blob(config, "config.v1+json"),
                "layers": [layout.blob(packed, "layer.v1.tar+gzip")]}
    return {**layout.blob(manifest, "manifest.v1+json"), "platform": {"architecture": architecture, "os": "linux"}}


def main(out, version, home, *folders):
    layout = Layout()
    names = {"title": "sortie", "version": version, "licenses": "MIT", "url": home,
             "description": "plays, solves and proves adversarial board games", "created": stamp()}
    labels = {"org.opencontainers.image." + name: value for name, value in names.items()}
    images = [add_image(layout, *pair.split("=", 1), labels) for pair in folders]
    kind = "index.v1+json"
    index = {"schemaVersion": 2, "mediaType": OCI + kind, "manifests": images, "annotations": labels}
    whole = layout.blob(index, kind)
    name = f"localhost/sortie:{version}"
    whole["annotations"] = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": name}
    layout.files["index.json"] = json.dumps({"schemaVersion": 2, "mediaType": OCI + kind, "manifests": [whole]}).encode()
    layout.write(out)


if __name__ == "__main__":
    if len(sys.argv) < 5 or not all("=" in pair for pair in sys.argv[4:]):
        sys.exit("expected: tools/image.py OUT.tar VERSION HOME amd64=FOLDER [arm64=FOLDER]")
    main(*sys.argv[1:])
