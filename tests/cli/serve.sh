# The page's server from the outside: what it serves, searches that stream and stop, and everything it refuses.
. "$(dirname "$0")/lib.sh"

sortie help | grep -q '^  serve ' || { echo "built without libmicrohttpd"; finish; }

printf '<!doctype html><title>page</title>\n' >page.html
gzip -k page.html
{ printf 'brotli:'; cat page.html; } >page.html.br # the server looks at no packed byte
sortie serve --page page.html --port 0 --threads 1 --most-time 20 >address 2>said.err &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 600); do [ -s address ] && break; sleep 0.1; done
check "the address is printed" grep -qE '^http://127\.0\.0\.1:[0-9]+/$' address

if python3 "$SORTIE_SOURCE/tests/cli/serve_requests.py" "$(cat address)" >requests.out 2>&1; then
    pass
else
    fail "requests"
    cat requests.out >&2
fi
check "still alive" kill -0 $server

# Ctrl-C ends it with searches under way.
python3 - "$(cat address)" <<'PYTHON' &
import http.client, sys, urllib.request
body = b"time 20\nposition\ngomoku freestyle 15\nH8 H9\n"
try:
    urllib.request.urlopen(sys.argv[1] + "api/think", data=body).read()
except (OSError, http.client.HTTPException):
    pass  # it was cut off, as it should be
PYTHON
reader=$!
sleep 0.5
kill -INT $server
wait $server
status=$?
[ $status -eq 0 ] && pass || fail "Ctrl-C ends with $status"
wait $reader

# At the usual port browsers leave it out of Host and Origin: in a network of its own, where everybody may listen there.
alone="bwrap --dev-bind / / --unshare-user --unshare-net --cap-add ALL --die-with-parent"
$alone true 2>/dev/null || alone=
cat >usual.py <<'PYTHON'
import http.client, subprocess, sys
command = ["sortie", "serve", "--page", "page.html", "--port", "80", "--threads", "1"]
server = subprocess.Popen(command, stdout=subprocess.PIPE)
server.stdout.readline()
wrong = []
for name, wanted in [("127.0.0.1", 200), ("localhost", 200), ("[::1]", 200), ("127.0.0.1:80", 200),
                     ("127.0.0.1:81", 403), ("127.0.0.1:", 403), ("evil.example", 403), ("evil.example:80", 403)]:
    connection = http.client.HTTPConnection("127.0.0.1", 80, timeout=20)
    connection.request("GET", "/", headers={"Host": name, "Origin": f"http://{name}"})
    status = connection.getresponse().status
    connection.close()
    if status != wanted:
        wrong.append(f"{name}: {status}, not {wanted}")
server.terminate()
sys.exit("\n".join(wrong) or 0)
PYTHON
if [ -z "$alone" ]; then
    lacks "the usual port: no network of its own can be made here (bwrap --unshare-net)"
else
    check "the usual port" $alone python3 usual.py
fi

refused "no such page" "cannot" sortie serve --page missing.html
refused "a bad address" "expected the number of an address" sortie serve --page page.html --listen nowhere
refused "a bad port" "expected a whole number of 0 to 65535" sortie serve --page page.html --port 70000
refused "a file" "expected no file" sortie serve page.html
finish
