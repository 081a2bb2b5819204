#error "sys/random.h: not every POSIX system has this header; src/system/host.h is the seam"
