#define KERNEL_WORDS 1
#define KERNEL laser_kernel_1
#include "games/laser/kernel/kernel.inc"
