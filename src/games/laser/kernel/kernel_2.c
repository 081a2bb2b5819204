#define KERNEL_WORDS 2
#define KERNEL laser_kernel_2
#include "games/laser/kernel/kernel.inc"
