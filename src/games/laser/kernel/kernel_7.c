#define KERNEL_WORDS 7
#define KERNEL laser_kernel_7
#include "games/laser/kernel/kernel.inc"
