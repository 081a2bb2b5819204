#define KERNEL_WORDS 16
#define KERNEL laser_kernel_16
#include "games/laser/kernel/kernel.inc"
