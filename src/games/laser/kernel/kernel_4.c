#define KERNEL_WORDS 4
#define KERNEL laser_kernel_4
#include "games/laser/kernel/kernel.inc"
