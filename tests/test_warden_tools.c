/* Real compilers and languages under the sandbox and its filter of system calls: what a class brings must build and
 * run. What is not installed is skipped, with a line; a C compiler, Python and make must be there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/warden.h"

static struct warden *warden;

/* A tool where programs in the sandbox look for it. */
static bool has(const char *tool) {
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folders[i], tool);
        if (access(path, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

static void needs(const char *tool) {
    if (!has(tool)) {
        printf("skipped: there is no %s\n", tool);
        skip();
    }
}

/* Runs lines of shell in a new world; they must end well and print just that. */
static void prints(const char *lines, const char *wanted) {
    const char *words[] = {"/bin/sh", "-ec", lines, NULL};
    struct warden_limits limits = warden_usual_limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    struct error error = {0};
    limits.wall_seconds = 120;
    assert_int_equal(warden_clean(warden, &error), STATUS_OK);
    if (warden_run(warden, words, &limits, &report, &said, &error) != STATUS_OK) {
        fail_msg("%s", error.text);
    }
    if (report.end != WARDEN_EXITED || report.code != 0 || strcmp(text_string(&said), wanted) != 0) {
        fail_msg("end %d, code %d: said '%s', wanted '%s'", report.end, report.code, text_string(&said), wanted);
    }
    text_free(&said);
}

static void compiles_c(void **state) {
    (void)state;
    assert_true(has("gcc"));
    prints(
        "cat >a.c <<'END'\n"
        "#include <pthread.h>\n"
        "#include <stdio.h>\n"
        "static void *run(void *text) { puts(text); return 0; }\n"
        "int main(void) { pthread_t thread; pthread_create(&thread, 0, run, \"thread\"); pthread_join(thread, 0);\n"
        "  FILE *pipe = popen(\"echo child\", \"r\"); char line[9]; fputs(fgets(line, 9, pipe), stdout); return 0; }\n"
        "END\n"
        "gcc -O2 -flto -pthread a.c -o a && ./a",
        "thread\nchild\n");
}

static void compiles_cpp(void **state) {
    (void)state;
    needs("g++");
    prints(
        "cat >a.cc <<'END'\n"
        "#include <filesystem>\n"
        "#include <future>\n"
        "#include <iostream>\n"
        "namespace fs = std::filesystem;\n"
        "int main() { fs::create_directories(\"x/y\"); fs::copy_file(\"a.cc\", \"x/y/a\"); fs::rename(\"x\", \"z\");\n"
        "  auto size = std::async(std::launch::async, [] { return fs::exists(\"z/y/a\"); });\n"
        "  fs::permissions(\"z/y/a\", fs::perms::owner_all); std::cout << size.get() << '\\n'; }\n"
        "END\n"
        "g++ -O1 -std=c++17 -pthread a.cc -o a && ./a",
        "1\n");
}

/* Threads, a child, a socket on the loopback, the list of interfaces, a locked file. */
static void runs_java(void **state) {
    (void)state;
    needs("javac");
    prints("cat >Main.java <<'END'\n"
           "import java.net.*; import java.nio.channels.*; import java.nio.file.*; import java.util.stream.*;\n"
           "public class Main { public static void main(String[] words) throws Exception {\n"
           "  System.out.println(IntStream.range(0, 1000).parallel().sum());\n"
           "  new ProcessBuilder(\"echo\", \"child\").inheritIO().start().waitFor();\n"
           "  var server = new ServerSocket(0); new Socket(\"127.0.0.1\", server.getLocalPort()).close();\n"
           "  System.out.println(NetworkInterface.getNetworkInterfaces().hasMoreElements());\n"
           "  var file = FileChannel.open(Path.of(\"f\"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);\n"
           "  System.out.println(file.lock().isValid()); } }\n"
           "END\n"
           "javac -J-Xmx256m Main.java && java -Xmx256m Main",
           "499500\nchild\ntrue\ntrue\n");
}

/* A database with its locks, processes that share memory, a terminal, sockets, copies with their modes and times. */
static void runs_python(void **state) {
    (void)state;
    assert_true(has("python3"));
    prints(
        "cat >a.py <<'END'\n"
        "import asyncio, multiprocessing, os, pty, shutil, socket, sqlite3, tempfile\n"
        "base = sqlite3.connect('x.db'); base.execute('create table t(a)'); base.execute('insert into t values(7)')\n"
        "base.commit(); print(base.execute('select a from t').fetchall())\n"
        "with multiprocessing.Pool(2) as pool: print(sum(pool.map(abs, range(-9, 1))))\n"
        "async def child(): return await (await asyncio.create_subprocess_exec('true')).wait()\n"
        "print(asyncio.run(child()))\n"
        "master, slave = pty.openpty(); print(os.isatty(slave))\n"
        "left, right = socket.socketpair(); left.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)\n"
        "left.send(b'x'); print(right.recv(1))\n"
        "shutil.copy2('/bin/true', 'copy'); print(oct(os.stat('copy').st_mode & 0o7777))\n"
        "print(len(tempfile.mkdtemp()) > 0)\n"
        "END\n"
        "python3 a.py",
        "[(7,)]\n45\n0\nTrue\nb'x'\n0o755\nTrue\n");
}

/* Where a system has no notices about files, `watch` says so and the rest goes on. */
static void runs_node(void **state) {
    (void)state;
    needs("node");
    prints("cat >a.js <<'END'\n"
           "const fs = require('fs'), net = require('net'), {Worker} = require('worker_threads');\n"
           "fs.writeFileSync('f', 'x'); console.log(fs.readdirSync('.').join());\n"
           "try { fs.watch('.'); console.log('watches'); } catch (error) { console.log(error.code); }\n"
           "console.log(require('child_process').execSync('echo child').toString().trim());\n"
           "new Worker('require(\"worker_threads\").parentPort.postMessage(1)', {eval: true}).on('message', () => {\n"
           "  const server = net.createServer(socket => socket.end('net')).listen(0, '127.0.0.1', () =>\n"
           "    net.connect(server.address().port, '127.0.0.1').on('data', data => {\n"
           "      console.log(data.toString()); server.close(); })); });\n"
           "END\n"
           "node a.js",
           "a.js,f\nENOSYS\nchild\nnet\n");
}

static void runs_make(void **state) {
    (void)state;
    assert_true(has("make"));
    prints("printf 'all: a b\\na b:\\n\\t@echo made >$@\\n\\t@cat $@\\n' >Makefile\n"
           "make -j4 -O 2>&1 | sort",
           "made\nmade\n");
}

static void runs_cmake(void **state) {
    (void)state;
    needs("cmake");
    prints("echo 'int main(void) { return 0; }' >a.c\n"
           "printf 'cmake_minimum_required(VERSION 3.13)\\nproject(x C)\\nadd_executable(a a.c)\\n' >CMakeLists.txt\n"
           "cmake -G 'Unix Makefiles' -S . -B b >log 2>&1 && cmake --build b -j 2 >>log 2>&1 || cat log; b/a && echo "
           "built",
           "built\n");
}

/* What build scripts call. */
static void runs_tools(void **state) {
    (void)state;
    prints("mkdir -p a/b; echo text >a/b/c; mkfifo a/pipe; ln -s b a/link; cp -a a d; tar cf t.tar d; mkdir e; tar xf "
           "t.tar -C e\n"
           "install -m 750 a/b/c f; stat -c %a f; chmod 1777 e; stat -c %a e; touch -d 2020-01-01 f; sync; find e | wc "
           "-l\n"
           "chmod u+s f 2>/dev/null || echo refused",
           "750\n1777\n6\nrefused\n");
}

static int start(void **state) {
    (void)state;
    struct error error = {0};
    struct warden_view view = {.keep_output = true};
    if (warden_start(&warden, &error) != STATUS_OK || warden_show(warden, &view, &error) != STATUS_OK) {
        printf("%s\n", error.text);
        return 1;
    }
    return 0;
}

static int stop(void **state) {
    (void)state;
    warden_stop(warden);
    return 0;
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_c),  cmocka_unit_test(compiles_cpp), cmocka_unit_test(runs_java),
        cmocka_unit_test(runs_python), cmocka_unit_test(runs_node),    cmocka_unit_test(runs_make),
        cmocka_unit_test(runs_cmake),  cmocka_unit_test(runs_tools),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
