"""Polite and hostile requests to `sortie serve`; the argument is its address."""
import gzip
import http.client
import json
import socket
import sys
import threading
import time
import urllib.parse

where = urllib.parse.urlparse(sys.argv[1])
host, port = where.hostname, where.port
ours = f"{host}:{port}"
faults = []


def expect(name, good, detail=""):
    if not good:
        faults.append(name)
        print("FAIL:", name, detail)


def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    wanted = {"Host": ours, **(headers or {})}
    if body is not None:
        wanted["Content-Length"] = str(len(body))
    for name, value in wanted.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def raw(text, patience=60):
    """Sends bytes as they are and reads until the server is done with us."""
    with socket.create_connection((host, port), timeout=patience) as wire:
        wire.sendall(text)
        content = b""
        try:
            while piece := wire.recv(65536):
                content += piece
        except ConnectionError:
            pass
        return content


THINK = b"time 0.3\nlines 2\nposition\nwar stake 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n...\n...\n"
LONG = b"time 20\nposition\ngomoku freestyle 15\nH8 H9\n"

# What is there.
answer, content = ask("GET", "/")
expect("the page", answer.status == 200 and b"<title>page" in content)
for name, value in [("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
                    ("X-Content-Type-Options", "nosniff")]:
    expect(name, answer.getheader(name) == value)
answer, content = ask("GET", "/api/about")
expect("about", answer.status == 200 and json.loads(content)["threads"] == 1)
answer, content = ask("POST", "/api/think", THINK, {"Origin": f"http://{ours}"})
lines = [json.loads(line) for line in content.split(b"\n") if line.strip()]
expect("a search streams", answer.status == 200 and len(lines) > 1 and "info" in lines[0] and "best" in lines[-1], content)
expect("two lines", {line["info"]["line"] for line in lines[:-1]} == {0, 1})

# A connection that is dropped frees the engine soon: the next search is answered.
for _ in range(3):
    wire = socket.create_connection((host, port), timeout=60)
    wire.sendall(b"POST /api/think HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n" % (ours.encode(), len(LONG)) + LONG)
    wire.recv(1)
    wire.close()
answer, content = ask("POST", "/api/think", THINK)
expect("after dropped connections", answer.status == 200, answer.status)

# Several at once have the engine in turn, in the order they came: the first gives up what is left of its time.
results = []


def take_turn(number, seconds):
    answer, content = ask("POST", "/api/think", b"time %d" % seconds + LONG[7:])
    lines = [json.loads(line) for line in content.split(b"\n") if line.strip()]
    results.append((number, answer.status, lines[-1].get("best", {}).get("seconds")))


threads = [threading.Thread(target=take_turn, args=pair) for pair in [(0, 20), (1, 1), (2, 1), (3, 1)]]
for thread in threads:
    thread.start()
    time.sleep(0.4)
for thread in threads:
    thread.join()
expect("all have their turn", [(number, status) for number, status, _ in results] == [(i, 200) for i in range(4)], results)
expect("a turn ends for others", 3 < results[0][2] < 15, results)

# Pages of this machine may show ours, no other may.
policy = ask("GET", "/")[0].getheader("Content-Security-Policy")
expect("frames", policy == "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*", policy)

# The page as small as the browser takes it; what lies packed beside it is older in one case.
plain = ask("GET", "/")[1]
for said, coding in [("gzip", "gzip"), ("gzip, deflate, br", "br"), ("br;q=0, gzip", "gzip"), ("br;q=0.5", "br"), ("deflate", None),
                     ("gzip;q=0", None), ("gzipper, brr", None), ("GZIP", "gzip"), (",,;;=,", None), ("br ; q=0.000", None)]:
    answer, content = ask("GET", "/", headers={"Accept-Encoding": said})
    unpacked = gzip.decompress(content) if coding == "gzip" else content.removeprefix(b"brotli:")
    expect(f"Accept-Encoding {said!r}", answer.getheader("Content-Encoding") == coding and unpacked == plain and
           answer.getheader("Vary") == "Accept-Encoding", answer.getheader("Content-Encoding"))

# Other names, other origins, other places, other methods.
for bad in ["evil.example", f"evil.example:{port}", host, f"{host}:1", f"{ours}.evil.example", ""]:
    expect(f"Host {bad!r}", ask("GET", "/", headers={"Host": bad})[0].status in (400, 403))
expect("no Host", b"200 OK" not in raw(b"GET / HTTP/1.0\r\n\r\n"))
expect("localhost", ask("GET", "/", headers={"Host": f"localhost:{port}"})[0].status == 200)
for bad in ["http://evil.example", "null", f"https://{ours}", f"http://{ours}.evil.example", "http://"]:
    expect(f"Origin {bad!r}", ask("POST", "/api/think", THINK, {"Origin": bad})[0].status == 403)
for bad in ["/../page.html", "/page.html", "/..%2f..%2fetc/passwd", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api", "/api/think/",
            "/index.html/", "/\\..\\x", "/" + "a" * 5000, "http://evil.example/"]:
    status, content = (lambda pair: (pair[0].status, pair[1]))(ask("GET", bad))
    expect(f"path {bad[:40]!r}", status in (400, 404, 414) and b"root:" not in content, status)
for method, path in [("POST", "/"), ("PUT", "/"), ("DELETE", "/api/think"), ("GET", "/api/think"), ("TRACE", "/"), ("POST", "/api/about")]:
    expect(f"{method} {path}", ask(method, path, b"")[0].status == 405)

# Searches that are none.
for bad in [b"", b"\0\0\0", b"position\n", b"time -1\nposition\nlaser 3 1\n000\n000\n000\n", b"time 1e9\nposition\n", b"move A1\n",
            b"lines 1000\nposition\n", b"nodes 99999999999999999999\nposition\n", b"position\nwar stake 27 X\n", b"move Z9\nposition\ngomoku freestyle 15\n",
            b"position\nwar stake 1 X\n5\nX\n", b"\xff" * 1000]:
    answer, content = ask("POST", "/api/think", bad)
    refused = answer.status == 400 or (answer.status == 200 and b'"error"' in content)
    expect(f"search {bad[:30]!r}", refused and len(content) < 500, (answer.status, content[:200]))

# Too much, too slow, not HTTP.
expect("2 MiB", b"200 OK" not in raw(b"POST /api/think HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 1500000\r\n\r\n" % ours.encode() + b"a" * 1500000))
expect("endless chunks", b"200 OK" not in raw(b"POST /api/think HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" % ours.encode() + (b"40000\r\n" + b"a" * 0x40000 + b"\r\n") * 12))
expect("large header", b"200 OK" not in raw(b"GET / HTTP/1.1\r\nHost: %s\r\nX: " % ours.encode() + b"a" * 200000 + b"\r\n\r\n"))
expect("not HTTP", b"200 OK" not in raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200 + b"\r\n\r\n"))


def drip(begin, piece, name):
    """One byte now and then: the server must hang up, however long we would go on."""
    started = time.monotonic()
    with socket.create_connection((host, port), timeout=60) as wire:
        wire.settimeout(1)
        wire.sendall(begin)
        while time.monotonic() - started < 90:
            try:
                wire.sendall(piece)
                if wire.recv(1000) == b"":
                    return
            except TimeoutError:
                continue
            except OSError:
                return
    expect(name, False, "still connected after 90 s")


def polite():
    """A connection that has had one request answered, and stays."""
    wire = socket.create_connection((host, port), timeout=5)
    wire.sendall(b"GET /api/about HTTP/1.1\r\nHost: %s\r\n\r\n" % ours.encode())
    content = b""
    while not content.endswith(b"}\n"):
        piece = wire.recv(1000)
        if not piece:
            raise ConnectionError("hung up on")
        content += piece
    return wire


def drip_later():
    """A good request, then a second one that never ends."""
    started = time.monotonic()
    with polite() as wire:
        wire.settimeout(1)
        while time.monotonic() - started < 45:
            try:
                wire.sendall(b"G" if time.monotonic() - started < 1 else b"E")
                if wire.recv(1000) == b"":
                    return
            except TimeoutError:
                continue
            except OSError:
                return
    expect("slow after a good request", False, "still connected after 45 s")


slow = [threading.Thread(target=drip, args=arguments) for arguments in [
    (b"GET / HTTP/1.1\r\n", b"X-a: b\r\n", "slow headers"),
    (b"POST /api/think HTTP/1.1\r\nHost: %s\r\nContent-Length: 100000\r\n\r\n" % ours.encode(), b"a", "slow body"),
    (b"", b"", "silence")]]
slow.append(threading.Thread(target=drip_later))
for thread in slow:
    thread.start()
# Meanwhile others are served.
expect("served beside slow ones", ask("GET", "/")[0].status == 200)
for thread in slow:
    thread.join()

# A crowd that asked nicely once and then drips keeps nobody out, least of all those who come from elsewhere.
other = socket.create_connection((host, port), timeout=10, source_address=("127.0.0.2", 0))
other.sendall(b"GET / HTTP/1.1\r\nHost: %s\r\n" % ours.encode())
crowd = []
try:
    for _ in range(70):
        crowd.append(polite())
        crowd[-1].sendall(b"G")
except OSError as trouble:
    expect("a crowd that drips", False, f"number {len(crowd)} is not served: {trouble}")
other.sendall(b"\r\n")
expect("a visitor from elsewhere", other.recv(15) == b"HTTP/1.1 200 OK")
for wire in [other, *crowd]:
    wire.close()

# Many connections at once do not keep it from answering afterwards.
crowd = []
for _ in range(100):
    try:
        crowd.append(socket.create_connection((host, port), timeout=5))
    except OSError:
        break
for wire in crowd:
    wire.close()
deadline = time.monotonic() + 40
while True:
    try:
        good = ask("GET", "/")[0].status == 200
    except OSError:
        good = False
    if good or time.monotonic() > deadline:
        break
    time.sleep(0.2)
expect("after a crowd", good)
sys.exit(1 if faults else 0)
