#include <stdio.h>

int main(void) {
    FILE *input = fopen("input.txt", "r");
    return inputt == NULL;
}
