#!/usr/bin/env bash
# Runs a test where the machine has what it needs: needs.sh WHAT,... BUILD COMMAND...
#
# What is missing is said in one line, and the test is skipped (status 77), loudly: ctest lists it as such. Where
# SORTIE_NO_SKIP is set, as in .ci/run, it has failed instead.
set -u
wants=$1 build=$2
shift 2
lack() {
    if [ -n "${SORTIE_NO_SKIP:-}" ]; then
        echo "FAILED: $1"
        exit 1
    fi
    echo "SKIPPED: $1"
    exit 77
}
for want in ${wants//,/ }; do
    case $want in
    proc) [ -r /proc/self/stat ] && [ -e /dev/fd/0 ] ||
        lack "/proc is not mounted (mount -t proc proc /proc), or /dev/fd does not lead there" ;;
    sandbox) reason=$("$build/tests/needs-sandbox") || lack "${reason%;*}" ;;
    *) echo "needs.sh: what is $want?" && exit 1 ;;
    esac
done
exec "$@"
