#define KERNEL_WORDS 3
#define KERNEL laser_kernel_3
#include "games/laser/kernel/kernel.inc"
